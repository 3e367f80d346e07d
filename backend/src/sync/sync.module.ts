import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { AppsModule } from '../apps/apps.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { AuditDestination } from './audit-destination.js';
import { CountWorkerDeaths } from './count-worker-deaths.js';
import { DestinationAuditsQueries } from './destination-audits.queries.js';
import { DestinationAudits } from './destination-audits.service.js';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';
import { ExchangeRates } from './exchange-rates.js';
import { FollowUps } from './follow-ups.js';
import { ForgetRunLogs } from './forget-run-logs.js';
import { LoadedTargets } from './loaded-targets.js';
import { RecoverRuns } from './recover-runs.js';
import { RunLedger } from './run-ledger.js';
import { RunLog } from './run-log.js';
import { RunQueue } from './run-queue.js';
import { RunSync } from './run-sync.js';
import { RunsController } from './runs.controller.js';
import { RunsQueries } from './runs.queries.js';
import { SentRows } from './sent-rows.js';
import { SyncQueries } from './sync.queries.js';
import { SyncService } from './sync.service.js';

@Module({
  imports: [AccessModule, BillingModule, AppsModule, SourcesModule, DestinationsModule],
  controllers: [RunsController, EventsController],
  providers: [
    SyncService,
    RunQueue,
    RunSync,
    SentRows,
    LoadedTargets,
    ExchangeRates,
    RunLedger,
    RunLog,
    SyncQueries,
    RunsQueries,
    RecoverRuns,
    CountWorkerDeaths,
    FollowUps,
    ForgetRunLogs,
    EventStreams,
    DestinationAudits,
    DestinationAuditsQueries,
    AuditDestination,
  ],
  exports: [SyncService, DestinationAudits],
})
export class SyncModule {}
