import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/index.js';
import { CatalogModule } from '../catalog/index.js';
import { ConnectionsModule } from '../connections/index.js';
import { ConversionsModule } from '../conversions/index.js';
import { DestinationsModule } from '../destinations/index.js';
import { SourcesModule } from '../sources/index.js';
import { ConfigurationController } from './configuration.controller.js';
import { ExportConfiguration } from './export-configuration.js';
import { CursorsQueries } from './file/cursors.queries.js';
import { ReadConfiguration } from './file/read-configuration.js';
import { ImportConfiguration } from './import-configuration.js';
import { PlanConfiguration } from './plan/plan-configuration.js';

@Module({
  imports: [BillingModule, CatalogModule, ConnectionsModule, ConversionsModule, DestinationsModule, SourcesModule],
  controllers: [ConfigurationController],
  providers: [ExportConfiguration, ImportConfiguration, PlanConfiguration, ReadConfiguration, CursorsQueries],
})
export class ConfigurationModule {}
