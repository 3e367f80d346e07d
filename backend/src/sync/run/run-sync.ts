import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { AuthorizedApps } from '../../apps/index.js';
import type { Quota } from '../../connectors/kit/contract.js';
import {
  ConnectorError,
  FixSettings,
  LeaseLost,
  ReconnectNeeded,
  ReportPending,
  RetryLater,
  SubscriptionLapsed,
} from '../../connectors/kit/errors.js';
import { DestinationsService } from '../../destinations/index.js';
import { WAITS, type Waits } from '../../core/config/waits.js';
import { isConnectionLost } from '../../core/database/connection-lost.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { toFailure } from '../../core/http/failures.js';
import { type JobContext, Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Metrics } from '../../core/observability/metrics.js';
import { Notifications } from '../../core/database/notifications.js';
import { JobLost } from '../../core/jobs/worker-locks.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { AccountLookbacks, SourcesService } from '../../sources/index.js';
import { finishRun } from './finish-run.js';
import { MAX_FAULTS, retryLimit, retrySeconds, waitSeconds } from './back-off.js';
import { FollowUps } from './follow-ups.js';
import { retriesExhausted } from './retries-exhausted.js';
import { ExchangeRates } from '../jobs/exchange-rates.js';
import { SchemaChanges } from '../ledger/schema-changes.js';
import { StreamTargets } from '../ledger/stream-targets.js';
import { Resyncs } from '../resync/resyncs.js';
import { DecisionNeeded } from './decision-needed.js';
import { Interruptions } from './interruptions.js';
import { NothingToLoad } from './nothing-to-load.js';
import { ProgressReporter } from './run-progress.js';
import type { Lease } from '../ledger/lease.js';
import { RunLedger } from '../ledger/run-ledger.js';
import { RunLog } from '../ledger/run-log.js';
import { MAX_WORKER_DEATHS, runSync } from '../jobs/run-job.js';
import { databaseLost, newerSignIn, RunPostponed, RunStopped, workerDied } from './run-errors.js';
import { RunQueue } from '../jobs/run-queue.js';
import { type QuotaPause, quotaPauseOf } from './quota-pause.js';
import { RunRates } from './run-rates.js';
import { type Pause, RunWork } from './run-work.js';
import { DeliveryLedger } from '../ledger/delivery-ledger.js';
import { type RunParties, SyncQueries } from '../ledger/sync.queries.js';

/** Attempts of a run that end with an error of the product itself, over the whole run. */
const MAX_INTERNAL_ERRORS = 3;
/**
 * How long a finished attempt retries to save its result while the database is down. After that another worker resumes the run.
 */
const DATABASE_PATIENCE_MS = 600_000;
const DATABASE_RETRY_MS = 1_000;
/** Interval between polls of a report that the provider prepares: a quarter of its age, within these bounds. */
const REPORT_LOOK_SECONDS = { least: 5, most: 60 };

/** The only place that catches errors of a run. Each error class has exactly one consequence. */
@Injectable()
export class RunSync implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WAITS) private readonly waits: Waits,
    private readonly jobs: Jobs,
    private readonly tenants: TenantDatabase,
    private readonly queue: RunQueue,
    private readonly ledger: RunLedger,
    private readonly queries: SyncQueries,
    private readonly log: RunLog,
    private readonly sources: SourcesService,
    private readonly destinations: DestinationsService,
    private readonly access: AuthorizedApps,
    private readonly sentRows: DeliveryLedger,
    private readonly targets: StreamTargets,
    private readonly resyncs: Resyncs,
    private readonly schemaChanges: SchemaChanges,
    private readonly windows: AccountLookbacks,
    private readonly rates: ExchangeRates,
    private readonly notifications: Notifications,
    private readonly interruptions: Interruptions,
    private readonly metrics: Metrics,
    private readonly followUps: FollowUps,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(runSync, (payload, context) => this.run(payload, context));
  }

  async run({ organizationId, runId }: z.infer<typeof runSync.schema>, { signal }: JobContext): Promise<void> {
    const claimed = await this.tenants.together(organizationId, async () => {
      const lease = await this.ledger.claim(organizationId, runId);
      // Read before anything is opened: an error of this attempt must not invalidate a sign-in that happens later.
      return lease && { lease, parties: await this.queries.getRunParties(organizationId, runId) };
    });
    if (!claimed) return;
    const { lease, parties } = claimed;
    const progress = new ProgressReporter(lease, this.notifications);
    const stopping = new AbortController();
    // The run has its own signal, because the signal of the process outlives the run and would keep its listeners.
    const stopWithProcess = () => stopping.abort(signal.reason);
    if (signal.aborted) stopWithProcess();
    signal.addEventListener('abort', stopWithProcess);
    const beat = () =>
      this.ledger.heartbeat(lease, { hasMoved: progress.takeMoved() }).catch((error: unknown) => {
        // Only a lost lease stops the run. After any other error the next heartbeat follows.
        if (error instanceof LeaseLost) stopping.abort(error);
      });
    const heartbeat = setInterval(() => void beat(), this.waits.runHeartbeatMs);
    try {
      if (lease.workerDeaths >= MAX_WORKER_DEATHS) throw workerDied('run', lease.workerDeaths);
      const pause = quotaPauseOf(parties, lease.kind, new Date());
      if (pause) await this.waitForQuota(lease, progress, pause);
      else await this.work(lease, progress, parties, stopping.signal);
    } catch (error) {
      const cause = stopping.signal.aborted ? stopping.signal.reason : error;
      await this.settle(lease, () => (signal.aborted ? this.giveBack(lease) : this.answer(lease, progress, parties, cause)));
    } finally {
      clearInterval(heartbeat);
      signal.removeEventListener('abort', stopWithProcess);
      progress.stop();
      await this.log
        .writeRequests(lease, progress.takeRequests())
        .catch((error: unknown) => this.logger.warn({ err: error, runId }, 'could not write the requests to the run log'));
    }
    if (lease.hasFollowUp) await this.followUps.startIfPossible(organizationId, runId);
  }

  /** Ends this attempt and retries while the database is unavailable. After a lost lease the job belongs to another worker. */
  private async settle(lease: Lease, end: () => Promise<void>): Promise<void> {
    const giveUpAtMs = Date.now() + DATABASE_PATIENCE_MS;
    for (;;) {
      try {
        return await end();
      } catch (error) {
        if (error instanceof LeaseLost)
          throw new JobLost('another worker has claimed the run, or it has ended', { cause: error });
        if (!isConnectionLost(error) || Date.now() > giveUpAtMs) throw error;
        this.logger.warn({ err: error, runId: lease.runId }, 'the database is unavailable: retrying to end the attempt');
        await delay(DATABASE_RETRY_MS);
      }
    }
  }

  private async work(lease: Lease, progress: ProgressReporter, parties: RunParties, signal: AbortSignal): Promise<void> {
    const { organizationId } = lease;
    const { connection, isPaused, source, knownWindows, destination } = await this.tenants.together(organizationId, async () => {
      const stored = await this.queries.getRunConnection(organizationId, lease.runId);
      const source = await this.sources.open(organizationId, stored.sourceId);
      const { isPaused, ...selection } = await this.schemaChanges.review(lease, stored, source.connector.streams);
      const connection = { ...stored, ...selection };
      const knownWindows = await this.windows.find(organizationId, connection.sourceId);
      return {
        connection,
        isPaused,
        source,
        knownWindows,
        destination: await this.destinations.open(organizationId, connection.destinationId),
      };
    });
    try {
      if (isPaused) throw new DecisionNeeded();
      const { tenants, ledger, queries, log, targets, resyncs, schemaChanges, windows, interruptions } = this;
      const sentRows = this.sentRows.of(lease, connection.destinationId);
      const parts = {
        tenants,
        lease,
        connection,
        source,
        destination,
        progress,
        ledger,
        queries,
        log,
        sentRows,
        targets,
        resyncs,
        schemaChanges,
        windows,
        knownWindows,
        rates: new RunRates(this.rates),
        signal,
        interruptions,
      };
      const work = new RunWork(parts);
      try {
        const pause = await work.run().finally(() => this.keepQuota(lease, source.appId, work.quota));
        if (pause) return await this.waitForSlices(lease, progress, pause);
      } catch (error) {
        if (!(error instanceof ReportPending)) throw error;
        return await this.pause(lease, progress, error, work.preparingSince ?? new Date());
      }
      await this.end(lease, progress, parties);
    } finally {
      await destination.close();
    }
  }

  /** The destination first: while it counts as broken, its alert covers those of the connection. */
  private async end(lease: Lease, progress: ProgressReporter, parties: RunParties, fatal: Failure | null = null): Promise<void> {
    const { tenants, ledger, queries, log, metrics } = this;
    const { organizationId, runId, startedAt } = lease;
    if (parties.isDestinationBroken && (await queries.hasVerifiedSlice(organizationId, runId)))
      await this.destinations.markWorking(organizationId, parties.destinationId, startedAt);
    metrics.runsEnded.inc({ state: await finishRun(lease, progress, { tenants, ledger, queries, log }, fatal) });
  }

  /** This process stops. Another worker resumes the run immediately. */
  private async giveBack(lease: Lease): Promise<void> {
    await this.ledger.heartbeat(lease);
    await this.enqueue(lease, new Date());
    this.logger.info({ runId: lease.runId }, 'run released for another worker');
  }

  private async answer(lease: Lease, progress: ProgressReporter, parties: RunParties, error: unknown): Promise<void> {
    if (error instanceof LeaseLost) {
      this.metrics.leasesLost.inc();
      this.logger.warn({ runId: lease.runId }, 'another worker has claimed the run');
      throw error;
    }
    if (!(error instanceof ConnectorError) && isConnectionLost(error)) return this.wait(lease, progress, databaseLost(error));
    if (error instanceof RunPostponed) return this.postpone(lease, progress, error);
    if (error instanceof SubscriptionLapsed || error instanceof RunStopped) return this.stop(lease, progress, error, 'cancelled');
    if (error instanceof NothingToLoad || error instanceof DecisionNeeded) return this.stop(lease, progress, error, 'skipped');
    if (error instanceof RetryLater && faultsOf(lease, error) < retryLimit(error)) {
      await this.pauseApp(lease, parties, error);
      return this.wait(lease, progress, error);
    }
    if (!(error instanceof ConnectorError)) return this.answerInternal(lease, progress, parties, error);
    const isStill = await this.mark(lease, parties, error);
    if (!isStill && lease.faults < MAX_FAULTS) return this.wait(lease, progress, newerSignIn());
    await this.fail(lease, progress, parties, error);
  }

  /** An error in our own code: logged with its stack and retried a limited number of times. */
  private async answerInternal(lease: Lease, progress: ProgressReporter, parties: RunParties, error: unknown): Promise<void> {
    const attempt = lease.internalErrors + 1;
    this.metrics.runInternalErrors.inc();
    const { organizationId, runId } = lease;
    this.logger.error({ err: error, organizationId, runId, attempt }, 'internal error in a run');
    return attempt < MAX_INTERNAL_ERRORS ? this.wait(lease, progress, error) : this.fail(lease, progress, parties, error);
  }

  /** All runs of an app share its quota: the others wait too, instead of being rejected one by one. */
  private async pauseApp(lease: Lease, parties: RunParties, error: RetryLater): Promise<void> {
    if (error.failureClass !== 'quota' || error.quotaOf !== 'app') return;
    const app = appOf(parties, error.code.split('.')[0]);
    if (!app) return;
    const until = new Date(Date.now() + secondsUntilRetry(lease, error) * 1_000);
    await this.access.pauseForQuota(lease.organizationId, app.id, until, toFailure(error));
  }

  /** Another run of the app was throttled. Nothing is requested, and the wait is no fault of this run. */
  private async waitForQuota(lease: Lease, progress: ProgressReporter, { until, reason }: QuotaPause): Promise<void> {
    await this.ledger.wait(lease, until, reason, { isFault: false });
    await this.enqueue(lease, until);
    await this.log.write(lease, 'warn', `${reason.message} The run continues in ${secondsUntil(until)} s.`);
    await progress.end('waiting', { resumeAt: until, failure: reason });
  }

  private async wait(lease: Lease, progress: ProgressReporter, error: unknown): Promise<void> {
    const failure = toFailure(error);
    const seconds = secondsUntilRetry(lease, error);
    const resumeAt = new Date(Date.now() + seconds * 1_000);
    await this.ledger.wait(lease, resumeAt, failure);
    await this.enqueue(lease, resumeAt);
    await this.log.write(lease, 'warn', `${failure.message} The run continues in ${seconds} s.`);
    await progress.end('waiting', { resumeAt, failure });
  }

  /** Every other slice has ended. The slices count their own faults, so the run does not count one. */
  private async waitForSlices(lease: Lease, progress: ProgressReporter, { resumeAt, failure, slices }: Pause): Promise<void> {
    await this.ledger.wait(lease, resumeAt, failure, { isFault: false });
    await this.enqueue(lease, resumeAt);
    await this.log.write(
      lease,
      'warn',
      `${slices} chunks are retried, the next one in ${secondsUntil(resumeAt)} s. Last error: ${failure.message}`,
    );
    await progress.end('waiting', { resumeAt, failure });
  }

  /** Frees the worker's slot while the provider prepares reports. Their ids are stored with the slices. */
  private async pause(lease: Lease, progress: ProgressReporter, error: ReportPending, since: Date): Promise<void> {
    const ageSeconds = (Date.now() - since.getTime()) / 1_000;
    const { least, most } = REPORT_LOOK_SECONDS;
    await this.release(lease, progress, error, Math.min(most, Math.max(least, ageSeconds / 4)));
  }

  /** Something else goes first: the same attempt continues later. */
  private postpone(lease: Lease, progress: ProgressReporter, error: RunPostponed): Promise<void> {
    return this.release(lease, progress, error, error.seconds);
  }

  private async release(lease: Lease, progress: ProgressReporter, reason: ConnectorError, seconds: number): Promise<void> {
    const resumeAt = new Date(Date.now() + seconds * 1_000);
    const failure = toFailure(reason);
    await this.ledger.pause(lease, resumeAt, failure, (query) => this.queue.addAgainWithin(query, lease.runId, resumeAt));
    await progress.end('waiting', { resumeAt, failure });
  }

  /** Not a failure of the run: committed slices stay, and the health of the connection does not change. */
  private async stop(
    lease: Lease,
    progress: ProgressReporter,
    error: ConnectorError,
    state: 'cancelled' | 'skipped',
  ): Promise<void> {
    await this.log.write(lease, 'warn', error.message);
    await this.ledger.finish(lease, state, toFailure(error), null);
    this.metrics.runsEnded.inc({ state });
    await progress.end(state);
  }

  /** The quota is only displayed, so an error here does not fail the run. */
  private async keepQuota(lease: Lease, appId: string, quota: Quota | null): Promise<void> {
    if (!quota) return;
    await this.access
      .saveQuota(lease.organizationId, appId, quota)
      .catch((error: unknown) => this.logger.warn({ err: error, runId: lease.runId }, 'could not save the quota'));
  }

  /**
   * Marks the app or destination that caused the error, so that it shows everywhere it is used. The prefix of the code names the
   * part. An error of class `schema` concerns one table, so only the connection fails. Returns false if a user has signed in again
   * during the run, so that a retry can succeed.
   */
  private async mark({ organizationId }: Lease, parties: RunParties, error: unknown): Promise<boolean> {
    const [prefix] = error instanceof ConnectorError ? error.code.split('.') : [];
    if (error instanceof ReconnectNeeded) {
      const app = appOf(parties, prefix);
      return !app || this.access.markNeedsReauth({ organizationId, ...app }, error);
    }
    const isOfDestination = prefix === parties.destinationProvider || prefix === 'egress';
    if (error instanceof FixSettings && error.failureClass !== 'schema' && isOfDestination)
      await this.destinations.markBroken(organizationId, parties.destinationId, parties.destinationVersion, error);
    return true;
  }

  private async fail(lease: Lease, progress: ProgressReporter, parties: RunParties, error: unknown): Promise<void> {
    const failure = error instanceof RetryLater ? retriesExhausted(toFailure(error)) : toFailure(error);
    if (failure.class === 'internal')
      this.logger.error({ err: error, runId: lease.runId }, 'a run failed because of an internal error');
    await this.log.write(lease, 'error', failure.message);
    await this.end(lease, progress, parties, failure);
  }

  private enqueue(lease: Lease, runAt: Date): Promise<void> {
    return this.queue.addAgain(lease.organizationId, lease.runId, runAt);
  }
}

const faultsOf = ({ faults, quotaFaults }: Lease, { failureClass }: RetryLater): number =>
  failureClass === 'quota' ? quotaFaults : faults;

const secondsUntilRetry = (lease: Lease, error: unknown): number =>
  error instanceof RetryLater ? retrySeconds(error, faultsOf(lease, error)) : waitSeconds(lease.faults);

const secondsUntil = (moment: Date): number => Math.max(0, Math.round((moment.getTime() - Date.now()) / 1_000));

/** Null for other prefixes: a rejected token refresh has marked its app already. */
function appOf(parties: RunParties, provider: string | undefined): { id: string; version: number } | null {
  if (provider === parties.sourceProvider) return { id: parties.sourceAppId, version: parties.sourceAppVersion };
  if (provider !== parties.destinationProvider) return null;
  return { id: parties.destinationAppId, version: parties.destinationAppVersion };
}
