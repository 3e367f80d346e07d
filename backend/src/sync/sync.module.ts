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
import { DeleteOldChanges } from './jobs/delete-old-changes.js';
import { SelectionWriter } from './ledger/selection-writer.js';
import { SchemaChanges } from './ledger/schema-changes.js';
import { StreamTargets } from './ledger/stream-targets.js';
import { Resyncs } from './resync/resyncs.js';
import { Interruptions } from './run/interruptions.js';
import { RecoverRuns } from './jobs/recover-runs.js';
import { ReconcileConnection } from './reconciliation/reconcile-connection.js';
import { ReconciliationsQueries } from './reconciliation/reconciliations.queries.js';
import { Reconciliations } from './reconciliation/reconciliations.service.js';
import { RunAlerts } from './ledger/run-alerts.js';
import { RunMetrics } from './jobs/run-metrics.js';
import { RunLedger } from './ledger/run-ledger.js';
import { RunLog } from './ledger/run-log.js';
import { RereadDays } from './ledger/reread-days.js';
import { RunQueue } from './jobs/run-queue.js';
import { RunSync } from './run/run-sync.js';
import { RunsController } from './api/runs.controller.js';
import { RunLogQueries } from './api/run-log.queries.js';
import { RunProofQueries } from './api/run-proof.queries.js';
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
    Resyncs,
    SchemaChanges,
    SelectionWriter,
    ExchangeRates,
    RunLedger,
    RunAlerts,
    RereadDays,
    RunLog,
    Interruptions,
    SyncQueries,
    RunsQueries,
    RunProofQueries,
    RunLogQueries,
    RecoverRuns,
    CountWorkerDeaths,
    RunMetrics,
    FollowUps,
    DeleteOldRunLogs,
    DeleteOldChanges,
    EventStreams,
    DestinationAudits,
    DestinationAuditsQueries,
    AuditDestination,
    Reconciliations,
    ReconciliationsQueries,
    ReconcileConnection,
  ],
  exports: [SyncService, RereadDays, DestinationAudits, Reconciliations, DeliveryLedger, ExchangeRates, SelectionWriter],
})
export class SyncModule {}
