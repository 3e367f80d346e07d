import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/index.js';
import { AppsModule } from '../apps/index.js';
import { SourcesController } from './sources.controller.js';
import { SourcesQueries } from './sources.queries.js';
import { SourcesService } from './sources.service.js';
import { AccountLookbacks } from './account-lookbacks.service.js';
import { SourceWindowsService } from './source-windows.service.js';

@Module({
  imports: [AppsModule, CatalogModule],
  controllers: [SourcesController],
  providers: [SourcesService, SourcesQueries, AccountLookbacks, SourceWindowsService],
  exports: [SourcesService, AccountLookbacks, SourceWindowsService],
})
export class SourcesModule {}
