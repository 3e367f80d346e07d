import { Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { CatalogModule } from '../catalog/index.js';
import { AppsModule } from '../apps/index.js';
import { BillingModule } from '../billing/index.js';
import { DestinationsModule } from '../destinations/index.js';
import { SourcesModule } from '../sources/index.js';
import { AuditDestination } from './jobs/audit-destination.js';
import { CountWorkerDeaths } from './jobs/count-worker-deaths.js';
import { DestinationAuditsQueries } from './api/destination-audits.queries.js';
import { DestinationAudits } from './api/destination-audits.service.js';
import { EventStreams } from './api/event-streams.js';
import { EventsController } from './api/events.controller.js';
import { ExchangeRates } from './jobs/exchange-rates.js';
import { FollowUps } from './run/follow-ups.js';
import { DeleteOldRunLogs } from './jobs/delete-old-run-logs.js';
import { StreamTargets } from './ledger/stream-targets.js';
import { RecoverRuns } from './jobs/recover-runs.js';
import { RunLedger } from './ledger/run-ledger.js';
import { RunLog } from './ledger/run-log.js';
import { RunQueue } from './jobs/run-queue.js';
import { RunSync } from './run/run-sync.js';
import { RunsController } from './api/runs.controller.js';
import { RunsQueries } from './api/runs.queries.js';
import { DeliveryLedger } from './ledger/delivery-ledger.js';
import { SyncQueries } from './ledger/sync.queries.js';
import { SyncService } from './api/sync.service.js';

@Module({
  imports: [AccessModule, BillingModule, AppsModule, CatalogModule, SourcesModule, DestinationsModule],
  controllers: [RunsController, EventsController],
  providers: [
    SyncService,
    RunQueue,
    RunSync,
    DeliveryLedger,
    StreamTargets,
    ExchangeRates,
    RunLedger,
    RunLog,
    SyncQueries,
    RunsQueries,
    RecoverRuns,
    CountWorkerDeaths,
    FollowUps,
    DeleteOldRunLogs,
    EventStreams,
    DestinationAudits,
    DestinationAuditsQueries,
    AuditDestination,
  ],
  exports: [SyncService, DestinationAudits],
})
export class SyncModule {}
