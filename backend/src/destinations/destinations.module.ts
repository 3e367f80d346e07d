import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/index.js';
import { AppsModule } from '../apps/index.js';
import { DestinationChecks } from './destination-checks.service.js';
import { DestinationsController } from './destinations.controller.js';
import { DestinationTablesQueries } from './destination-tables.queries.js';
import { DestinationsQueries } from './destinations.queries.js';
import { DestinationsService } from './destinations.service.js';

@Module({
  imports: [AppsModule, CatalogModule],
  controllers: [DestinationsController],
  providers: [DestinationsService, DestinationChecks, DestinationsQueries, DestinationTablesQueries],
  exports: [DestinationsService],
})
export class DestinationsModule {}
