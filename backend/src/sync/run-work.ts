import type { AdAccount, ConnectorContext, Quota, RemoteJob, Targets } from '../connectors/kit/contract.js';
import {
  CorruptAnswer,
  type NotVerifiedYet,
  ReportPending,
  SkipAccount,
  SplitSlice,
  SubscriptionLapsed,
} from '../connectors/kit/errors.js';
import type { Failure } from '../platform/failure.dto.js';
import { toFailure } from '../platform/failures.js';
import { givenUp } from './given-up.js';
import { RunPlanner } from './plan-run.js';
import { type PlannedSlice, splitSlice } from './plan-slices.js';
import type { RunParts } from './run-parts.js';
import { runSlice, type SliceResult } from './run-slice.js';
import type { SliceRow } from './sync.queries.js';

/** Slices under way at once: enough to hide the provider's latency, few enough to hold one page each in memory. */
const PARALLEL_SLICES = 3;
/** An answer that contradicts itself is asked for again this often before the slice is given up. */
const MAX_SLICE_ATTEMPTS = 3;
/** Most reports are ready within this time; a slower one is not waited for in the run's slot. */
const REPORT_WAIT_MS = 5_000;

/** One worker's go at a run: plans it if nobody has, then works through its slices. Errors that concern the whole run pass through. */
export class RunWork {
  private readonly now = new Date();
  private readonly planner: RunPlanner;
  private readonly skippedAccounts = new Map<string, Failure>();
  private queue: SliceRow[] = [];
  /** What the source told last of its limit. */
  quota: Quota | null = null;
  private hasLapsed = false;
  /** Slices whose report the provider is still preparing. */
  private readonly preparing: { slice: SliceRow; error: ReportPending }[] = [];

  constructor(private readonly parts: RunParts) {
    this.planner = new RunPlanner(parts, this.now);
  }

  async run(): Promise<void> {
    const { lease, progress, queries, isLapsed } = this.parts;
    if (await isLapsed()) throw lapsed();
    this.planner.assertOffered();
    const context = this.context(this.parts.signal);
    const { destination, tenants } = this.parts;
    const targets = await destination.prepare(context, [...this.planner.written.values()]);
    await this.planner.learnLookbacks(context);
    const summary = await tenants.together(lease.organizationId, async () => {
      await this.keepTargets(targets);
      if (!lease.isPlanned) await this.planner.plan();
      this.queue = await queries.listPendingSlices(lease.organizationId, lease.runId);
      return queries.summarizeSlices(lease.organizationId, lease.runId);
    });
    const slicesDone = summary.total - this.queue.length;
    progress.resume({
      slicesDone,
      slicesTotal: summary.total,
      rowsRead: Number(summary.rowsRead),
      rowsWritten: Number(summary.rowsFound),
    });
    progress.enter('load');
    await this.workInParallel();
  }

  /** Before anything is planned: what was loaded into another place is not there. */
  private async keepTargets(found: Targets): Promise<void> {
    const { lease, targets, log } = this.parts;
    const moved = await targets.keep(lease, found);
    if (moved.length > 0)
      await log.write(lease, 'warn', `${moved.join(', ')} is written to a new place: its history is loaded again.`);
  }

  /** The first error that concerns the whole run stops the others, and is the one that is told. */
  private async workInParallel(): Promise<void> {
    const stopping = new AbortController();
    const context = this.context(AbortSignal.any([this.parts.signal, stopping.signal]));
    let firstError: unknown;
    const lane = async (): Promise<void> => {
      try {
        for (let slice = this.nextSlice(); slice && !context.signal.aborted; slice = this.nextSlice()) {
          this.hasLapsed ||= await this.parts.isLapsed();
          // What is under way in the other lanes is finished: a slice is whole or not at all.
          if (this.hasLapsed) return;
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
    if (this.hasLapsed) throw lapsed();
    const [first] = this.preparing;
    if (first) throw first.error;
  }

  /** Since when the youngest report that is not ready is waited for; null: none was asked for. */
  get preparingSince(): Date | null {
    const times = this.preparing.map(({ slice }) => slice.remoteJobSince?.getTime() ?? Date.now());
    return times.length > 0 ? new Date(Math.max(...times)) : null;
  }

  /** No more reports are under way at once than lanes. */
  private nextSlice(): SliceRow | undefined {
    return this.preparing.length < PARALLEL_SLICES ? this.queue.shift() : undefined;
  }

  private async workOn(context: ConnectorContext, slice: SliceRow): Promise<void> {
    const { lease, ledger, progress } = this.parts;
    const skipped = this.skippedAccounts.get(slice.accountId);
    if (skipped) return this.giveUp(slice, 'skipped', skipped);
    await ledger.startSlice(lease, slice.id);
    slice.attempts += 1;
    try {
      const result = await this.move(context, slice);
      await this.parts.tenants.together(lease.organizationId, async () => {
        await this.settle(slice, result);
        await this.parts.log.writeRequests(lease, progress.takeRequests());
      });
      progress.sliceEnded();
    } catch (error) {
      await this.answer(slice, error);
      await this.parts.log.writeRequests(lease, progress.takeRequests());
    }
  }

  private async move(context: ConnectorContext, row: SliceRow): Promise<SliceResult> {
    const { lease, source, destination, progress, sentRows, exchange } = this.parts;
    const stream = this.planner.streams.get(row.stream);
    const account = this.planner.accounts.get(row.accountId);
    const written = this.planner.written.get(row.stream);
    if (!stream || !written || !account) throw goneFromSource(row);
    // Not asked: what an account is called and counts in is not known any more.
    if (account.status === 'closed') throw closedAccount(account);
    const sliceContext = { ...context, job: this.remoteJob(row), exchange, ledger: sentRows };
    return runSlice(sliceContext, {
      source: source.connector,
      destination,
      slice: { stream, account, from: row.from, to: row.to },
      written,
      fence: { runId: lease.runId, leaseEpoch: lease.epoch },
      lookbackDays: this.planner.lookbackDays.get(row.accountId) ?? 0,
      now: this.now,
      progress,
    });
  }

  private async settle(slice: SliceRow, result: SliceResult): Promise<void> {
    const { lease, ledger, log } = this.parts;
    const outcome = { slice, ...result, verifiedAt: new Date() };
    const isEqual = result.differingDays.length === 0;
    if (isEqual && !result.late) return ledger.commitSlice(lease, outcome);
    const name = this.planner.accounts.get(slice.accountId)?.name ?? slice.accountId;
    const failure = isEqual && result.late ? notVerifiedYet(name, result.late) : mismatch(name, result);
    await ledger.failVerification(lease, outcome, failure);
    await log.write(lease, isEqual ? 'warn' : 'error', failure.message);
  }

  private async answer(slice: SliceRow, error: unknown): Promise<void> {
    if (error instanceof SkipAccount) {
      this.skippedAccounts.set(slice.accountId, toFailure(error));
      return this.giveUp(slice, 'skipped', toFailure(error));
    }
    if (error instanceof CorruptAnswer) {
      await this.parts.log.write(this.parts.lease, 'warn', `${error.message} Try ${slice.attempts} of ${MAX_SLICE_ATTEMPTS}.`);
      if (slice.attempts >= MAX_SLICE_ATTEMPTS) return this.giveUp(slice, 'failed', givenUp(toFailure(error)));
      this.queue.push(slice);
      return;
    }
    if (error instanceof SplitSlice) return this.split(slice, error);
    if (error instanceof ReportPending) return void this.preparing.push({ slice, error });
    throw error;
  }

  /** A platform says "this ad account"; of several that a run reads, people must know which. */
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
    // The halves alone: another lane may be taking or adding slices at the same time.
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
    };
  }

  private remoteJob(row: SliceRow): RemoteJob {
    const { lease, ledger } = this.parts;
    return {
      get id() {
        return row.remoteJobId;
      },
      get since() {
        return row.remoteJobSince;
      },
      // A report that an earlier attempt has asked for is looked at once.
      maxWaitMs: row.remoteJobSince ? 0 : REPORT_WAIT_MS,
      save: async (id) => {
        await ledger.saveRemoteJob(lease, row.id, id);
        row.remoteJobId = id;
        row.remoteJobSince = id === null ? null : new Date();
      },
    };
  }
}

const isSame = (row: SliceRow, half: PlannedSlice): boolean =>
  row.stream === half.stream && row.accountId === half.accountId && row.from === half.from && row.to === half.to;

const lapsed = (): SubscriptionLapsed =>
  new SubscriptionLapsed({
    code: 'subscription.required',
    message:
      'The subscription has lapsed, so the run has stopped. Nothing is deleted, and the rest comes by itself once it is open.',
    action: 'Choose a plan',
  });

const goneFromSource = (row: SliceRow): SkipAccount =>
  new SkipAccount({
    code: 'sync.gone',
    message: `${row.stream} of account ${row.accountId} is no longer part of the source.`,
    action: 'Review the source',
  });

const closedAccount = ({ name }: AdAccount): SkipAccount =>
  new SkipAccount({
    code: 'sync.account_closed',
    message: `${name} is closed, or its app no longer reaches it.`,
    action: 'Restore access, or take the account out of the source',
  });

function mismatch(accountName: string, { expected, found, differingDays }: SliceResult): Failure {
  const [first = ''] = differingDays;
  const days = differingDays.length === 1 ? first : `${differingDays.length} days since ${first}`;
  return {
    class: 'destination',
    code: 'sync.mismatch',
    message: `${accountName}, ${days}: ${expected.rows} rows were sent, the destination reports ${found.rows}.`,
    action: 'Run again',
    providerRequestId: null,
  };
}

/** Under a code of the engine's, by which the run ends `unverified` instead of failing. */
const notVerifiedYet = (accountName: string, error: NotVerifiedYet): Failure => ({
  ...toFailure(error),
  code: 'sync.unverified_late',
  message: `${accountName}: ${error.message}`,
});
