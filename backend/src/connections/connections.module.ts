import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/index.js';
import { AppsModule } from '../apps/index.js';
import { BillingModule } from '../billing/index.js';
import { DestinationsModule } from '../destinations/index.js';
import { SourcesModule } from '../sources/index.js';
import { SyncModule } from '../sync/index.js';
import { CatchUp } from './schedule/catch-up.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsQueries } from './connections.queries.js';
import { ConnectionsService } from './connections.service.js';
import { CoverageController } from './coverage/coverage.controller.js';
import { CoverageQueries } from './coverage/coverage.queries.js';
import { DestinationAuditsController } from './coverage/destination-audits.controller.js';
import { EstimateConnection } from './estimate-connection.js';
import { ScheduleDue } from './schedule/schedule-due.js';
import { SharedTables } from './shared-tables.service.js';
import { SourceReadings } from './schedule/source-readings.js';

@Module({
  imports: [BillingModule, AppsModule, CatalogModule, SourcesModule, DestinationsModule, SyncModule],
  controllers: [ConnectionsController, CoverageController, DestinationAuditsController],
  providers: [
    ConnectionsService,
    ConnectionsQueries,
    CoverageQueries,
    EstimateConnection,
    SourceReadings,
    SharedTables,
    ScheduleDue,
    CatchUp,
  ],
})
export class ConnectionsModule {}
