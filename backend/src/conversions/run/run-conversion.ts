import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { AuthorizedApps } from '../../apps/index.js';
import { Entitlements } from '../../billing/index.js';
import { nextRunAt, scheduleColumn } from '../../connections/index.js';
import type { ConnectorContext } from '../../connectors/kit/contract.js';
import { ConnectorError, LeaseLost, ReconnectNeeded, RetryLater } from '../../connectors/kit/errors.js';
import type { App, Conversion } from '../../generated/prisma/client.js';
import { maskPersonalText } from '../../core/http/mask-personal-data.js';
import { toFailure } from '../../core/http/failures.js';
import { isConnectionLost } from '../../core/database/connection-lost.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { type JobContext, Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { JobLost } from '../../core/jobs/worker-locks.js';
import { type Claim, ConversionChanged, ConversionLedger, type EventChange } from '../ledger/conversion-ledger.js';
import { OpenConversion, type OpenedConversion } from '../settings/open-conversion.js';
import { type ClaimedConversion, ConversionRuns, type RunEnd } from './conversion-runs.js';
import { ADJUSTMENT_TRAITS, changeOf, retryWaitSeconds, workerCrashed } from './outcomes.js';
import { PollRequests } from './poll-requests.js';
import { ConversionProgress } from './progress.js';
import { ReadEvents } from './read-events.js';
import { runConversion } from './run-job.js';
import { SendAdjustments } from './send-adjustments.js';
import { SendEvents } from './send-events.js';

/** Without a subscription, a conversion waits. What it missed is sent after the renewal, if it is not too old. */
const CLOSED_WAIT_MS = 3_600_000;

/**
 * After so many attempts, about two hours, a platform or source that does not answer counts as a failed run. The next run starts after
 * the usual wait.
 */
const MOST_WAITS = 8;

/** Which of the two apps an error belongs to. */
type Side = 'source' | 'target';

/** Runs a conversion: reads new events, sends them, and reads the platform's later decisions. The only place that catches its errors. */
@Injectable()
export class RunConversion implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: Jobs,
    private readonly tenants: TenantDatabase,
    private readonly runs: ConversionRuns,
    private readonly ledger: ConversionLedger,
    private readonly opener: OpenConversion,
    private readonly reader: ReadEvents,
    private readonly sender: SendEvents,
    private readonly adjuster: SendAdjustments,
    private readonly poller: PollRequests,
    private readonly apps: AuthorizedApps,
    private readonly entitlements: Entitlements,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(runConversion, (payload, context) => this.run(payload, context));
  }

  async run(
    { organizationId, conversionId }: { organizationId: string; conversionId: string },
    { signal }: JobContext,
  ): Promise<void> {
    if (await this.entitlements.isClosed(organizationId))
      return this.runs.start(organizationId, conversionId, new Date(Date.now() + CLOSED_WAIT_MS));
    const claimed = await this.runs.claim(organizationId, conversionId);
    if (!claimed) return;
    const { claim, conversion, runId, counts: before } = claimed;
    const progress = new ConversionProgress((counts) => this.runs.report(claim, runId, counts), before);
    const end = await this.settle(claimed, progress, signal);
    if (!end) return;
    const { pendingReads, schedule, nextRunAt: planned } = conversion;
    // A run that did not read does not replace the next one of the schedule.
    await this.runs.startNext(claim, end, pendingReads > 0 ? nextRunAt(scheduleColumn.get(schedule), new Date()) : planned);
  }

  /** Null if another worker continues. */
  private async settle(
    { claim, conversion, runId }: ClaimedConversion,
    progress: ConversionProgress,
    signal: AbortSignal,
  ): Promise<RunEnd | null> {
    const side = { current: 'target' as Side };
    // Read before anything is opened: an error of this run must not invalidate a sign-in that happens later.
    const apps = { source: await this.findSourceApp(conversion), target: await this.findTargetApp(conversion) };
    try {
      const end = await this.work(claim, conversion, progress, signal, side);
      await this.runs.finish(claim, runId, progress.counts, end);
      return end;
    } catch (error) {
      if (signal.aborted) {
        await this.runs.start(claim.organizationId, claim.conversionId);
        return null;
      }
      if (error instanceof ConversionChanged) {
        // The rest follows at once, also after an import, which starts no run.
        const end = { ...ended(progress), waitSeconds: 0 };
        await this.runs.finish(claim, runId, progress.counts, end);
        return end;
      }
      if (error instanceof LeaseLost) throw new JobLost('another worker has claimed the conversion', { cause: error });
      // The lost connection of a connector is not the product's own.
      if (!(error instanceof ConnectorError) && isConnectionLost(error)) throw error;
      const end = await this.endOf(conversion, apps[side.current], error);
      await this.runs.finish(claim, runId, progress.counts, end);
      return end;
    }
  }

  private async work(
    claim: Claim,
    conversion: Conversion,
    progress: ConversionProgress,
    signal: AbortSignal,
    side: { current: Side },
  ): Promise<RunEnd> {
    const context: ConnectorContext = { signal, onRequest: () => undefined };
    const opened = await this.opener.open(conversion);
    await this.recoverSent(claim, opened);
    side.current = 'source';
    // What was read before is sent even if the source cannot be opened or read.
    const readError = await this.read(claim, conversion, opened, context, progress).then(() => null, keepConnectorError);
    side.current = 'target';
    await this.sender.sendAll(claim, opened, context, progress);
    // Refunds of orders that the platform has are sent even if a result cannot be read.
    const pollError = await this.poller.pollAll(claim, opened, context).then(() => null, keepConnectorError);
    await this.adjuster.sendAll(claim, opened, context, progress);
    if (pollError) throw pollError;
    side.current = 'source';
    if (readError) throw readError;
    return ended(progress);
  }

  /** Only if it was asked for. Most runs are started for an attempt or a result that is due. */
  private async read(
    claim: Claim,
    { pendingReads }: Conversion,
    opened: OpenedConversion,
    context: ConnectorContext,
    progress: ConversionProgress,
  ): Promise<void> {
    if (pendingReads === 0) return;
    await this.reader.readAll(claim, opened, context, progress);
    await this.runs.completeReads(claim, pendingReads);
  }

  /** Events whose answer was not stored: their worker stopped. */
  private async recoverSent(claim: Claim, { target, rules }: OpenedConversion): Promise<void> {
    await this.ledger.change(claim, async (query) => {
      const events = await this.ledger.listSent(query, claim.conversionId);
      const outcomeRules = rules();
      // The platform did not fail, so the events are sent again at once.
      const changes = events.map((event): EventChange => {
        const traits = event.isAdjustment ? ADJUSTMENT_TRAITS : target.traits;
        const change = changeOf({ ...event, attempts: event.attempts - 1 }, workerCrashed, { traits, ...outcomeRules });
        return change.state === 'retrying' ? { ...change, nextAttemptAt: outcomeRules.now } : change;
      });
      await this.ledger.apply(query, claim.conversionId, changes);
    });
  }

  /** Each class of error has one consequence. */
  private async endOf(conversion: Conversion, app: App | null, error: unknown): Promise<RunEnd> {
    const failure = toFailure(error);
    const shown = { ...failure, message: maskPersonalText(failure.message) };
    if (error instanceof RetryLater) {
      const waitSeconds = error.retryAfterSeconds ?? retryWaitSeconds(conversion.failures + 1);
      const isOver = error.failureClass !== 'quota' && conversion.failures + 1 >= MOST_WAITS;
      return { state: isOver ? 'failed' : 'waiting', failure: shown, waitSeconds };
    }
    if (error instanceof ReconnectNeeded) {
      if (error.isUnsure && conversion.failures < 2) return { state: 'waiting', failure: shown, waitSeconds: 60 };
      if (app) await this.apps.markNeedsReauth(app, error);
      return { state: 'failed', failure: shown, waitSeconds: null };
    }
    if (!(error instanceof ConnectorError)) {
      this.logger.error({ err: error, conversionId: conversion.id }, 'a conversion failed with an internal error');
      return { state: 'failed', failure: shown, waitSeconds: retryWaitSeconds(conversion.failures + 1) };
    }
    return { state: 'failed', failure: shown, waitSeconds: null };
  }

  private findTargetApp({ organizationId, targetAppId }: Conversion): Promise<App | null> {
    return this.tenants.of(organizationId).app.findFirst({ where: { id: targetAppId } });
  }

  private async findSourceApp({ organizationId, sourceAppId, sourceDestinationId }: Conversion): Promise<App | null> {
    const tenant = this.tenants.of(organizationId);
    if (sourceAppId) return tenant.app.findFirst({ where: { id: sourceAppId } });
    const destination = await tenant.destination.findFirst({ where: { id: sourceDestinationId ?? '' } });
    return destination && tenant.app.findFirst({ where: { id: destination.appId } });
  }
}

const ended = ({ counts }: ConversionProgress): RunEnd => ({
  ...{ state: counts.eventsRejected > 0 ? 'partial' : 'succeeded', failure: null, waitSeconds: null },
});

function keepConnectorError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  throw error;
}
