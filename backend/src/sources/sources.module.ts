import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { SourcesController } from './sources.controller.js';
import { SourcesQueries } from './sources.queries.js';
import { SourcesService } from './sources.service.js';
import { RestoreSource } from './restore-source.js';

@Module({
  imports: [AppsModule],
  controllers: [SourcesController],
  providers: [SourcesService, RestoreSource, SourcesQueries],
  exports: [SourcesService],
})
export class SourcesModule {}
