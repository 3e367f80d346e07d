import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { z } from 'zod';
import { AppAccess } from '../apps/app-access.service.js';
import type { Quota } from '../connectors/kit/contract.js';
import {
  ConnectorError,
  FixSettings,
  LeaseLost,
  ReconnectNeeded,
  RetryLater,
  SubscriptionLapsed,
} from '../connectors/kit/errors.js';
import { Entitlements } from '../billing/entitlements.service.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import { toFailure } from '../platform/failures.js';
import { type JobContext, Jobs } from '../platform/jobs.js';
import { LOGGER } from '../platform/logger.js';
import { Notifications } from '../platform/notifications.js';
import { SourcesService } from '../sources/sources.service.js';
import { finishRun } from './finish-run.js';
import { MAX_FAULTS, waitSeconds } from './back-off.js';
import { givenUp } from './given-up.js';
import { ExchangeRates } from './exchange-rates.js';
import { LearnedWindows } from '../sources/learned-windows.service.js';
import { LoadedTargets } from './loaded-targets.js';
import { NothingToLoad } from './nothing-to-load.js';
import { ProgressReporter } from './run-progress.js';
import { type Lease, RunLedger } from './run-ledger.js';
import { RunLog } from './run-log.js';
import { type Pause, RunWork } from './run-work.js';
import { SentRows } from './sent-rows.js';
import { type RunParties, SyncQueries } from './sync.queries.js';

const payloadSchema = z.object({ organizationId: z.uuid(), runId: z.uuid() });

const HEARTBEAT_MS = 5_000;

export const runJobKey = (runId: string): string => `run:${runId}`;

/** The one place where errors of a run are caught: each class has its one consequence. */
@Injectable()
export class RunSync implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: Jobs,
    private readonly ledger: RunLedger,
    private readonly queries: SyncQueries,
    private readonly log: RunLog,
    private readonly sources: SourcesService,
    private readonly destinations: DestinationsService,
    private readonly access: AppAccess,
    private readonly sentRows: SentRows,
    private readonly targets: LoadedTargets,
    private readonly windows: LearnedWindows,
    private readonly rates: ExchangeRates,
    private readonly notifications: Notifications,
    private readonly entitlements: Entitlements,
  ) {}

  onModuleInit(): void {
    this.jobs.register('run-sync', (payload, context) => this.run(payload, context));
  }

  async run(payload: unknown, { signal }: JobContext): Promise<void> {
    const { organizationId, runId } = payloadSchema.parse(payload);
    const lease = await this.ledger.claim(organizationId, runId);
    if (!lease) return;
    // Before anything is opened: what this go is refused with says nothing about those who sign in later.
    const parties = await this.queries.getRunParties(organizationId, runId);
    const progress = new ProgressReporter(lease, this.notifications);
    const stopping = new AbortController();
    const beat = () =>
      this.ledger.heartbeat(lease).catch((error: unknown) => {
        // Only a lost run is a reason to stop: a beat that the database did not take is followed by the next.
        if (error instanceof LeaseLost) stopping.abort(error);
      });
    const heartbeat = setInterval(() => void beat(), HEARTBEAT_MS);
    try {
      await this.work(lease, progress, AbortSignal.any([signal, stopping.signal]));
    } catch (error) {
      const cause = stopping.signal.aborted ? stopping.signal.reason : error;
      await (signal.aborted ? this.giveBack(lease) : this.answer(lease, progress, parties, cause));
    } finally {
      clearInterval(heartbeat);
      progress.stop();
      await this.log
        .writeRequests(lease, progress.takeRequests())
        .catch((error: unknown) => this.logger.warn({ err: error, runId }, 'log lost'));
    }
  }

  private async work(lease: Lease, progress: ProgressReporter, signal: AbortSignal): Promise<void> {
    const connection = await this.queries.getRunConnection(lease.organizationId, lease.runId);
    const source = await this.sources.open(lease.organizationId, connection.sourceId);
    const destination = await this.destinations.open(lease.organizationId, connection.destinationId);
    try {
      const { ledger, queries, log, targets, windows } = this;
      const sentRows = this.sentRows.of(lease, connection.destinationId);
      const currencies = source.accounts.map((account) => account.currency);
      const exchange = await this.rates.open(connection.currency, currencies, connection.historyFrom);
      const isLapsed = () => this.entitlements.isClosed(lease.organizationId);
      const parts = {
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
        windows,
        exchange,
        signal,
        isLapsed,
      };
      const work = new RunWork(parts);
      const pause = await work.run().finally(() => this.keepQuota(lease, source.appId, work.quota));
      if (pause) return await this.waitForSlices(lease, progress, pause);
      const state = await finishRun(lease, progress, { ledger, queries, log });
      if (state === 'succeeded')
        await this.destinations.markWorking(lease.organizationId, connection.destinationId, lease.startedAt);
    } finally {
      await destination.close();
    }
  }

  /** This process ends: another one goes on at once. */
  private async giveBack(lease: Lease): Promise<void> {
    await this.enqueue(lease, new Date());
    this.logger.info({ runId: lease.runId }, 'run given back');
  }

  private async answer(lease: Lease, progress: ProgressReporter, parties: RunParties, error: unknown): Promise<void> {
    if (error instanceof LeaseLost) {
      this.logger.warn({ runId: lease.runId }, 'lost the run to another worker');
      return;
    }
    if (error instanceof SubscriptionLapsed) return this.stop(lease, progress, error, 'cancelled');
    if (error instanceof NothingToLoad) return this.stop(lease, progress, error, 'skipped');
    if (error instanceof RetryLater && lease.faults < MAX_FAULTS) return this.wait(lease, progress, error);
    const isStill = await this.mark(lease, parties, error);
    if (!isStill && lease.faults < MAX_FAULTS) return this.wait(lease, progress, newerSignIn());
    await this.fail(lease, progress, error);
  }

  private async wait(lease: Lease, progress: ProgressReporter, error: RetryLater): Promise<void> {
    const seconds = error.retryAfterSeconds ?? waitSeconds(lease.faults);
    const resumeAt = new Date(Date.now() + seconds * 1_000);
    await this.ledger.wait(lease, resumeAt, toFailure(error));
    await this.enqueue(lease, resumeAt);
    await this.log.write(lease, 'warn', `${error.message} Goes on in ${seconds} s.`);
    await progress.end('waiting', resumeAt);
  }

  /** Every other slice has ended. The slices themselves count their faults, so this is none of the run's. */
  private async waitForSlices(lease: Lease, progress: ProgressReporter, { resumeAt, failure, slices }: Pause): Promise<void> {
    await this.ledger.wait(lease, resumeAt, failure, { isFault: false });
    await this.enqueue(lease, resumeAt);
    const seconds = Math.max(0, Math.round((resumeAt.getTime() - Date.now()) / 1_000));
    await this.log.write(
      lease,
      'warn',
      `${slices} slices are tried again; the next in ${seconds} s. The last error: ${failure.message}`,
    );
    await progress.end('waiting', resumeAt);
  }

  /** Not a failure of the run: what it committed stays, and its connection is as healthy as before. */
  private async stop(
    lease: Lease,
    progress: ProgressReporter,
    error: SubscriptionLapsed | NothingToLoad,
    state: 'cancelled' | 'skipped',
  ): Promise<void> {
    await this.log.write(lease, 'warn', error.message);
    await this.ledger.finish(lease, state, toFailure(error), null);
    await progress.end(state);
  }

  /** Only to be looked at: a run does not fail for it. */
  private async keepQuota(lease: Lease, appId: string, quota: Quota | null): Promise<void> {
    if (!quota) return;
    await this.access
      .saveQuota(lease.organizationId, appId, quota)
      .catch((error: unknown) => this.logger.warn({ err: error, runId: lease.runId }, 'quota lost'));
  }

  /**
   * What is broken says so wherever it is used, not only in this run. Whose fault it is stands at the beginning of the code.
   * False: somebody has signed in while the run was under way, so that it is worth another try.
   */
  private async mark({ organizationId }: Lease, parties: RunParties, error: unknown): Promise<boolean> {
    const [prefix] = error instanceof ConnectorError ? error.code.split('.') : [];
    if (error instanceof ReconnectNeeded) {
      const app = appOf(parties, prefix);
      return !app || this.access.markNeedsReauth({ organizationId, ...app }, error);
    }
    if (error instanceof FixSettings && (prefix === parties.destinationProvider || prefix === 'egress'))
      await this.destinations.markBroken(organizationId, parties.destinationId, error);
    return true;
  }

  private async fail(lease: Lease, progress: ProgressReporter, error: unknown): Promise<void> {
    const { ledger, queries, log } = this;
    const failure = error instanceof RetryLater ? givenUp(toFailure(error)) : toFailure(error);
    if (failure.class === 'internal') this.logger.error({ err: error, runId: lease.runId }, 'run failed');
    await this.log.write(lease, 'error', failure.message);
    await finishRun(lease, progress, { ledger, queries, log }, failure);
  }

  private enqueue(lease: Lease, runAt: Date): Promise<void> {
    const { organizationId, runId } = lease;
    return this.jobs.add('run-sync', { organizationId, runId }, { key: runJobKey(runId), runAt });
  }
}

/** A refused refresh has marked its app already. */
function appOf(parties: RunParties, provider: string | undefined): { id: string; version: number } | null {
  if (provider === parties.sourceProvider) return { id: parties.sourceAppId, version: parties.sourceAppVersion };
  if (provider !== parties.destinationProvider) return null;
  return { id: parties.destinationAppId, version: parties.destinationAppVersion };
}

const newerSignIn = (): RetryLater =>
  new RetryLater({
    code: 'sync.newer_sign_in',
    message: 'Somebody has signed in again while the run was under way.',
    action: 'Nothing to do: it is tried again by itself',
    retryAfterSeconds: 1,
  });
