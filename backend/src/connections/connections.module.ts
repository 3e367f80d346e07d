import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/index.js';
import { AppsModule } from '../apps/index.js';
import { BillingModule } from '../billing/index.js';
import { DestinationsModule } from '../destinations/index.js';
import { SourcesModule } from '../sources/index.js';
import { SyncModule } from '../sync/index.js';
import { RetryRunController } from './runs/retry-run.controller.js';
import { CatchUp } from './schedule/catch-up.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsQueries } from './connections.queries.js';
import { ConnectionsService } from './connections.service.js';
import { CoverageController } from './coverage/coverage.controller.js';
import { CoverageQueries } from './coverage/coverage.queries.js';
import { DailyQueries } from './coverage/daily.queries.js';
import { DestinationAuditsController } from './coverage/destination-audits.controller.js';
import { ReconciliationsController } from './changes/reconciliations.controller.js';
import { RestatementsController } from './changes/restatements.controller.js';
import { RestatementsQueries } from './changes/restatements.queries.js';
import { SettlingTimesQueries } from './changes/settling-times.queries.js';
import { ConnectionFacts } from './facts/connection-facts.service.js';
import { ConnectionPages } from './list/connection-pages.js';
import { ConnectionList } from './list/list.queries.js';
import { EstimateConnection } from './estimate-connection.js';
import { AutomaticPause } from './pausing/automatic-pause.js';
import { ImportConnections } from './import-connections.js';
import { PaymentConnections } from './payment-connections.service.js';
import { ScheduleDue } from './schedule/schedule-due.js';
import { SchemaController } from './schema/schema.controller.js';
import { SchemaDecisions } from './schema/schema-decisions.service.js';
import { SaveSelectionOfRun } from './schema/save-selection.js';
import { SchemaQueries } from './schema/schema.queries.js';
import { SharedTables } from './shared-tables.service.js';
import { TestBenchController } from './test-bench/test-bench.controller.js';
import { TestBench } from './test-bench/test-bench.service.js';
import { SourceReadings } from './schedule/source-readings.js';

@Module({
  imports: [BillingModule, AppsModule, CatalogModule, SourcesModule, DestinationsModule, SyncModule],
  controllers: [
    ConnectionsController,
    CoverageController,
    DestinationAuditsController,
    RestatementsController,
    ReconciliationsController,
    SchemaController,
    TestBenchController,
    RetryRunController,
  ],
  providers: [
    ConnectionsService,
    ConnectionsQueries,
    ConnectionFacts,
    ConnectionList,
    ConnectionPages,
    CoverageQueries,
    DailyQueries,
    RestatementsQueries,
    SettlingTimesQueries,
    EstimateConnection,
    SourceReadings,
    SharedTables,
    SchemaQueries,
    SchemaDecisions,
    SaveSelectionOfRun,
    TestBench,
    ScheduleDue,
    CatchUp,
    AutomaticPause,
    PaymentConnections,
    ImportConnections,
  ],
  exports: [ConnectionsQueries, PaymentConnections, ImportConnections],
})
export class ConnectionsModule {}
