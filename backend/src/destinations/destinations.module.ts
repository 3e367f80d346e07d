import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { DestinationsController } from './destinations.controller.js';
import { DestinationTablesQueries } from './destination-tables.queries.js';
import { DestinationsQueries } from './destinations.queries.js';
import { DestinationsService } from './destinations.service.js';

@Module({
  imports: [AppsModule],
  controllers: [DestinationsController],
  providers: [DestinationsService, DestinationsQueries, DestinationTablesQueries],
  exports: [DestinationsService],
})
export class DestinationsModule {}
