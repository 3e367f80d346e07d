import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { SourcesController } from './sources.controller.js';
import { SourcesQueries } from './sources.queries.js';
import { SourcesService } from './sources.service.js';
import { LearnedWindows } from './learned-windows.service.js';
import { SourceWindowsService } from './source-windows.service.js';
import { RestoreSource } from './restore-source.js';

@Module({
  imports: [AppsModule],
  controllers: [SourcesController],
  providers: [SourcesService, RestoreSource, SourcesQueries, LearnedWindows, SourceWindowsService],
  exports: [SourcesService, LearnedWindows, SourceWindowsService],
})
export class SourcesModule {}
