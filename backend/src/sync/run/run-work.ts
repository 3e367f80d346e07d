import type { ConnectorContext, Quota, RemoteJob, Targets } from '../../connectors/kit/contract.js';
import { dayInTimeZone } from '../../connectors/kit/days.js';
import {
  ColumnsChanged,
  type ConnectorError,
  CorruptAnswer,
  FixSettings,
  ReportPending,
  RetryLater,
  RowRejected,
  SkipAccount,
  SplitSlice,
} from '../../connectors/kit/errors.js';
import { isUnified } from '../../connectors/kit/unified.js';
import { hashedColumnsOf, identifyHashed } from '../../connectors/kit/rows/hashed-columns.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { toFailure } from '../../core/http/failures.js';
import { closedAccount, GONE, goneFromSource, unusableAccount } from './account-errors.js';
import { MAX_FAULTS, retrySeconds } from './back-off.js';
import { retriesExhausted } from './retries-exhausted.js';
import { dropGone } from '../ledger/busy-days.js';
import { describeChange } from '../ledger/stream-targets.js';
import { RunPlanner } from './plan-run.js';
import { type PlannedSlice, splitSlice } from './plan-slices.js';
import type { RunParts } from './run-parts.js';
import { ResyncWork } from '../resync/resync-work.js';
import { verifiedMessage } from './run-log-lines.js';
import { runSlice, type SliceResult } from './run-slice.js';
import { mismatch, notVerifiedYet } from './verification-failures.js';
import { SliceFaults } from './slice-faults.js';
import type { SliceRow } from '../ledger/sync.queries.js';

/** Slices processed concurrently: enough to hide the provider's latency, few enough to hold one page of each in memory. */
const PARALLEL_SLICES = 3;
/** Attempts for a slice whose response contradicts itself, over all attempts of the run. */
const MAX_SLICE_ATTEMPTS = 3;
/** Most reports are ready within this time. For a slower one the run releases its slot. */
const REPORT_WAIT_MS = 5_000;

/** The remaining slices of a run are retried later. */
export interface Pause {
  resumeAt: Date;
  /** Failure of the slice that is retried next. */
  failure: Failure;
  slices: number;
}

/**
 * One worker's attempt at a run: plans it if it has no plan, then processes its slices. Errors that concern the whole run are
 * rethrown.
 */
export class RunWork {
  private readonly now = new Date();
  private readonly planner: RunPlanner;
  private readonly skippedAccounts = new Map<string, Failure>();
  private readonly faults = new SliceFaults<RetryLater>();
  /** Slices that the source rejects for a reason that a retry does not change. */
  private readonly rejections = new SliceFaults<FixSettings>();
  private queue: SliceRow[] = [];
  /** The quota that the source reported last. */
  quota: Quota | null = null;
  /** Why the run stops before its next slice; null: it continues. */
  private interruption: ConnectorError | null = null;
  /** Slices whose report the provider is still preparing. */
  private readonly preparing: { slice: SliceRow; error: ReportPending }[] = [];

  constructor(private readonly parts: RunParts) {
    this.planner = new RunPlanner(parts, this.now);
  }

  /** Null when every slice has ended. */
  async run(): Promise<Pause | null> {
    const { tenants, lease, ledger, progress, queries } = this.parts;
    if (await this.isInterrupted()) throw this.interruption;
    this.planner.assertOffered();
    const context = this.context(this.parts.signal);
    const resync = lease.resync && new ResyncWork(this.parts, this.planner, lease.resync);
    if (await resync?.completeSwap(context)) return null;
    const targets = resync ? await resync.prepare(context) : await this.prepare(context);
    await this.planner.refreshLookbacks(context);
    const summary = await tenants.together(lease.organizationId, async () => {
      const conflict = resync ? null : await this.keepTargets(targets);
      if (conflict) return conflict;
      if (lease.isPlanned && lease.track === 'regular')
        await ledger.fenced(lease, (query) => dropGone(query, lease, this.planner));
      if (lease.isPlanned) await this.planner.removeUnavailableDays();
      else await (resync?.planSwap(this.now) ?? this.planner.plan());
      this.queue = await queries.listPendingSlices(lease.organizationId, lease.runId);
      return queries.summarizeSlices(lease.organizationId, lease.runId);
    });
    if (summary instanceof FixSettings) throw summary;
    const slicesDone = summary.total - this.queue.length;
    progress.resume({
      slicesDone,
      slicesTotal: summary.total,
      rowsRead: Number(summary.rowsRead),
      rowsWritten: Number(summary.rowsFound),
    });
    progress.enter('load');
    await this.workInParallel();
    const pause = this.pause();
    if (pause === null) await resync?.swap(context);
    return pause;
  }

  /** Creates or changes the tables. Stores a column that was changed as lost, whichever run finds it. */
  private async prepare(context: ConnectorContext): Promise<Targets> {
    const { lease, connection, destination, targets } = this.parts;
    const streams = [...this.planner.written.values()];
    if (connection.hasUnknownColumns) await targets.adopt(lease, await destination.locate(context, streams));
    const found = await destination.prepare(context, streams).catch(async (error: unknown) => {
      if (error instanceof ColumnsChanged) await this.keepTableChange(error);
      throw error;
    });
    return identifyHashed(found, this.planner.written, connection.hashed);
  }

  private async keepTableChange(error: ColumnsChanged): Promise<void> {
    const { tenants, lease, targets, schemaChanges } = this.parts;
    await tenants.together(lease.organizationId, async () => {
      await targets.removeColumns(lease, error);
      await schemaChanges.saveTableChange(lease, error);
    });
  }

  /** Days that were loaded into another table or column count as missing. A conflict with another connection ends the run. */
  private async keepTargets(found: Targets): Promise<FixSettings | null> {
    const { lease, connection, targets, schemaChanges, log, rates } = this.parts;
    const { changes, conflict } = await targets.save(lease, this.planner, found, rates.convertedTo(connection.currency));
    const restored = connection.pendingChanges.filter(({ kind }) => kind === 'table_changed').map(({ stream }) => stream);
    if (restored.length > 0) await schemaChanges.revertTableChanges(lease);
    // The columns of a restored table are stored as its change already.
    await schemaChanges.saveLostColumns(
      lease,
      changes.filter(({ stream }) => !restored.includes(stream)),
    );
    for (const sentence of changes.flatMap(describeChange)) await log.write(lease, 'warn', sentence);
    return conflict;
  }

  /** The first error that concerns the whole run stops the other lanes and is rethrown. */
  private async workInParallel(): Promise<void> {
    const stopping = new AbortController();
    const context = this.context(AbortSignal.any([this.parts.signal, stopping.signal]));
    let firstError: unknown;
    const lane = async (): Promise<void> => {
      try {
        for (let slice = this.nextDue(); slice && !context.signal.aborted; slice = this.nextDue()) {
          // The other lanes finish their current slices: a slice is loaded completely or not at all.
          if (await this.isInterrupted()) return;
          await this.workOn(context, slice);
        }
      } catch (error) {
        firstError ??= error;
        stopping.abort(error);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_SLICES }, lane));
    if (firstError !== undefined) throw firstError;
    this.parts.signal.throwIfAborted();
    if (this.interruption) throw this.interruption;
    for (const text of this.parts.rates.describeMissing()) await this.parts.log.write(this.parts.lease, 'warn', text);
    const [first] = this.preparing;
    if (first) throw first.error;
  }

  private async isInterrupted(): Promise<boolean> {
    this.interruption ??= await this.parts.interruptions.find(this.parts.lease, this.quota);
    return this.interruption !== null;
  }

  /** When the newest report that is not ready was requested; null if there is none. */
  get preparingSince(): Date | null {
    const times = this.preparing.map(({ slice }) => slice.remoteJobAt?.getTime() ?? Date.now());
    return times.length > 0 ? new Date(Math.max(...times)) : null;
  }

  private async workOn(context: ConnectorContext, slice: SliceRow): Promise<void> {
    const { lease, ledger, progress } = this.parts;
    const skipped = this.skippedAccounts.get(slice.accountId);
    if (skipped) return this.giveUp(slice, 'skipped', skipped);
    const rejected = this.rejections.closedBy(slice);
    if (rejected) return this.giveUp(slice, 'skipped', toFailure(rejected));
    const closedBy = this.faults.closedBy(slice);
    if (closedBy) return this.setAside([slice], closedBy);
    await ledger.startSlice(lease, slice.id);
    const startedAt = new Date();
    slice.attempts += 1;
    try {
      const result = await this.move(context, slice);
      await this.parts.tenants.together(lease.organizationId, async () => {
        const isVerified = await this.settle(slice, result, slice.remoteJobAt ?? startedAt);
        const messages = isVerified ? [verifiedMessage(slice, this.nameOf(slice), result.found.rows)] : [];
        await this.parts.log.writeRequests(lease, progress.takeRequests(), messages);
      });
      this.faults.arrived(slice);
      this.rejections.arrived(slice);
      progress.sliceEnded();
    } catch (error) {
      // A lane that was stopped has no error of its own.
      if (context.signal.aborted) throw error;
      await this.answer(slice, error);
      await this.parts.log.writeRequests(lease, progress.takeRequests());
    }
  }

  private async move(context: ConnectorContext, row: SliceRow): Promise<SliceResult> {
    const { lease, connection, source, destination, progress, sentRows, rates } = this.parts;
    const stream = this.planner.streams.get(row.stream);
    const account = this.planner.accounts.get(row.accountId);
    const written = this.planner.written.get(row.stream);
    if (!stream || !written || !account) throw goneFromSource(row);
    // Not requested: the account's name and currency are no longer known.
    if (account.status === 'closed') throw closedAccount(account);
    if (account.problem !== undefined) throw unusableAccount(account, account.problem);
    const exchange = isUnified(stream) ? await rates.open(connection.currency, account.currency, row) : null;
    const sliceContext = { ...context, job: this.remoteJob(row), exchange, ledger: sentRows };
    return runSlice(sliceContext, {
      source: source.connector,
      destination,
      slice: { stream, account, from: row.from, to: row.to },
      written,
      hashed: hashedColumnsOf(written, connection.hashed),
      acceptsEmpty: connection.emptyPolicy === 'allow_empty',
      fence: { runId: lease.runId, leaseEpoch: lease.epoch },
      lookbackDays: this.planner.lookbackDays.get(row.accountId) ?? 0,
      now: this.now,
      progress,
    });
  }

  /**
   * Returns whether the slice is verified.
   * @param readAt when the rows were requested: the rows show the state at that time, however long the response took
   */
  private async settle(slice: SliceRow, result: SliceResult, readAt: Date): Promise<boolean> {
    const { lease, ledger, log } = this.parts;
    const account = this.planner.accounts.get(slice.accountId);
    const outcome = { slice, ...result, verifiedAt: readAt, readOn: dayInTimeZone(readAt, account?.timeZone ?? 'UTC') };
    const isEqual = result.differingDays.length === 0;
    if (isEqual && !result.late) {
      await ledger.commitSlice(lease, outcome);
      return true;
    }
    const name = this.nameOf(slice);
    const failure = isEqual && result.late ? notVerifiedYet(name, result.late) : mismatch(name, result);
    await ledger.failVerification(lease, outcome, failure);
    await log.write(lease, isEqual ? 'warn' : 'error', failure.message);
    return false;
  }

  private nameOf = ({ accountId }: SliceRow): string => this.planner.accounts.get(accountId)?.name ?? accountId;

  private async answer(slice: SliceRow, error: unknown): Promise<void> {
    if (error instanceof SkipAccount) {
      if (error.code !== GONE) this.skippedAccounts.set(slice.accountId, toFailure(error));
      return this.giveUp(slice, 'skipped', toFailure(error));
    }
    if (error instanceof CorruptAnswer) return this.requestAgain(slice, error);
    if (error instanceof SplitSlice) return this.split(slice, error);
    if (error instanceof RowRejected) return this.giveUp(slice, 'failed', toFailure(error));
    if (error instanceof ReportPending) return void this.preparing.push({ slice, error });
    if (error instanceof RetryLater) return this.tryLater(slice, error);
    if (error instanceof FixSettings && this.isOfSource(error)) return this.reject(slice, error);
    throw error;
  }

  private async requestAgain(slice: SliceRow, error: CorruptAnswer): Promise<void> {
    const { lease, ledger, log } = this.parts;
    slice.corruptAnswers += 1;
    await log.write(lease, 'warn', `${error.message} Attempt ${slice.corruptAnswers} of ${MAX_SLICE_ATTEMPTS}.`);
    if (slice.corruptAnswers >= MAX_SLICE_ATTEMPTS) return this.giveUp(slice, 'failed', retriesExhausted(toFailure(error)));
    await ledger.requestSliceAgain(lease, slice.id);
    this.queue.push(slice);
  }

  private isOfSource({ code }: FixSettings): boolean {
    return code.startsWith(`${this.parts.source.provider}.`);
  }

  /** Often only one account or report is affected, so the others continue. After several rejections in a row the run stops. */
  private async reject(slice: SliceRow, error: FixSettings): Promise<void> {
    if (this.rejections.failed(slice, error) === 'run') throw error;
    await this.parts.log.write(this.parts.lease, 'error', `${slice.stream}, ${slice.from} to ${slice.to}: ${error.message}`);
    await this.giveUp(slice, 'failed', toFailure(error));
  }

  /**
   * The other slices continue, unless the error concerns the whole run: all slices share a quota, and after several consecutive
   * failures everything is down. In both cases the next attempt begins with other slices.
   */
  private async tryLater(slice: SliceRow, error: RetryLater): Promise<void> {
    const { lease, ledger } = this.parts;
    const reach = error.failureClass === 'quota' ? 'run' : this.faults.failed(slice, error);
    if (reach === 'run') {
      await ledger.deferSlices(lease, [slice.id], null, toFailure(error));
      throw error;
    }
    await this.parts.log.write(lease, 'warn', `${slice.stream}, ${slice.from} to ${slice.to}: ${error.message}`);
    const others = this.queue.filter((row) => reach === 'scope' && isDue(row) && this.faults.closedBy(row));
    this.queue = this.queue.filter((row) => !others.includes(row));
    await this.setAside([slice, ...others], error);
  }

  /** Queues the slices again for later. A slice fails after as many errors as a run. */
  private async setAside(slices: SliceRow[], error: RetryLater): Promise<void> {
    const failure = toFailure(error);
    for (const slice of slices.filter(({ faults }) => faults >= MAX_FAULTS)) {
      // A slice that was never requested is skipped, not failed.
      await this.giveUp(slice, slice.attempts > 0 ? 'failed' : 'skipped', retriesExhausted(failure));
    }
    const patient = slices.filter(({ faults }) => faults < MAX_FAULTS);
    const byFaults = new Map<number, SliceRow[]>();
    for (const slice of patient) byFaults.set(slice.faults, [...(byFaults.get(slice.faults) ?? []), slice]);
    for (const [faults, rows] of byFaults) {
      const resumeAt = new Date(Date.now() + retrySeconds(error, faults) * 1_000);
      const ids = rows.map(({ id }) => id);
      await this.parts.ledger.deferSlices(this.parts.lease, ids, resumeAt, failure);
      this.queue.push(...rows.map((row) => ({ ...row, faults: faults + 1, resumeAt, failure })));
    }
  }

  /** Limits the reports in preparation to the number of lanes. */
  private nextDue(): SliceRow | undefined {
    if (this.preparing.length >= PARALLEL_SLICES) return undefined;
    const index = this.queue.findIndex(isDue);
    return index < 0 ? undefined : this.queue.splice(index, 1)[0];
  }

  private pause(): Pause | null {
    const [next] = this.queue.toSorted((one, other) => Number(one.resumeAt) - Number(other.resumeAt));
    if (!next?.resumeAt || !next.failure) return null;
    return { resumeAt: next.resumeAt, failure: next.failure, slices: this.queue.length };
  }

  /** Adds the account's name, because platforms report "this ad account" and a run reads several. */
  private namingAccount({ accountId }: SliceRow, failure: Failure): Failure {
    const name = this.planner.accounts.get(accountId)?.name;
    return name === undefined || failure.message.includes(name)
      ? failure
      : { ...failure, message: `${name}: ${failure.message}` };
  }

  private async split(slice: SliceRow, error: SplitSlice): Promise<void> {
    const { lease, ledger, queries, progress } = this.parts;
    const halves = splitSlice(slice);
    if (!halves) return this.giveUp(slice, 'failed', toFailure(error));
    await ledger.splitSlice(lease, slice, halves);
    progress.slicesAdded(1);
    const pending = await queries.listPendingSlices(lease.organizationId, lease.runId);
    // Only the halves: another lane may take or add slices at the same time.
    this.queue.push(...pending.filter((row) => halves.some((half) => isSame(row, half))));
  }

  private async giveUp(slice: SliceRow, state: 'failed' | 'skipped', failure: Failure): Promise<void> {
    await this.parts.ledger.failSlice(this.parts.lease, slice, state, this.namingAccount(slice, failure));
    this.parts.progress.sliceEnded();
  }

  private context(signal: AbortSignal): ConnectorContext {
    return {
      signal,
      onRequest: (request) => this.parts.progress.requested(request),
      onQuota: (quota) => {
        this.quota = quota;
      },
      onAccount: (account) => this.parts.source.addAccount(account),
    };
  }

  private remoteJob(row: SliceRow): RemoteJob {
    const { lease, ledger } = this.parts;
    return {
      get id() {
        return row.remoteJobId;
      },
      get since() {
        return row.remoteJobWaitAt;
      },
      // A report that an earlier attempt requested is polled once.
      maxWaitMs: row.remoteJobAt ? 0 : REPORT_WAIT_MS,
      save: async (id) => {
        const now = id === null ? null : new Date();
        // The rows stay as of the request when the wait for the same report begins again.
        const remoteJobAt = id === row.remoteJobId ? row.remoteJobAt : now;
        Object.assign(row, { remoteJobId: id, remoteJobAt, remoteJobWaitAt: now } satisfies Partial<SliceRow>);
        await ledger.saveRemoteJob(lease, row);
      },
    };
  }
}

const isDue = ({ resumeAt }: SliceRow): boolean => resumeAt === null || resumeAt.getTime() <= Date.now();

const isSame = (row: SliceRow, half: PlannedSlice): boolean =>
  row.stream === half.stream && row.accountId === half.accountId && row.from === half.from && row.to === half.to;
