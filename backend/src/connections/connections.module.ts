import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { SyncModule } from '../sync/sync.module.js';
import { CatchUp } from './catch-up.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsQueries } from './connections.queries.js';
import { ConnectionsService } from './connections.service.js';
import { CoverageController } from './coverage.controller.js';
import { CoverageQueries } from './coverage.queries.js';
import { DestinationAuditsController } from './destination-audits.controller.js';
import { EstimateConnection } from './estimate-connection.js';
import { ScheduleDue } from './schedule-due.js';
import { SharedTables } from './shared-tables.service.js';
import { SourceReadings } from './source-readings.js';

@Module({
  imports: [BillingModule, AppsModule, SourcesModule, DestinationsModule, SyncModule],
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
