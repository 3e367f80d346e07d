import type { RequestRecord } from '../../connectors/kit/contract.js';
import type { Failure } from '../../core/http/failure.dto.js';
import type { RunState, RunStep } from '../../generated/prisma/client.js';
import type { LiveEvent, Notifications } from '../../core/database/notifications.js';
import type { Lease } from '../ledger/lease.js';
import type { RunProgress } from '../api/runs.dto.js';

/** Often enough to show movement, seldom enough to cause no load. */
const PUBLISH_EVERY_MS = 500;

/** A waiting run: when it continues, and why it waits. */
interface Wait {
  resumeAt: Date;
  failure: Failure;
}

/** Counts the run's progress in memory and publishes it. The ledger writes the permanent counts. */
export class ProgressReporter {
  private readonly startedAtMs = Date.now();
  private readonly counts = { slicesDone: 0, slicesTotal: 0, rowsRead: 0, rowsWritten: 0, apiCalls: 0 };
  private rowsAtStart = 0;
  private state: RunState = 'running';
  private step: RunStep = 'plan';
  /** A run that ends within the first interval publishes only its end. */
  private publishedAtMs = Date.now();
  private isStopped = false;
  private hasMoved = false;
  private pending: NodeJS.Timeout | undefined;
  /** Requests not yet written to the run's log. */
  private requests: (RequestRecord & { at: Date })[] = [];

  constructor(
    private readonly lease: Lease,
    private readonly notifications: Notifications,
  ) {}

  resume(counts: { slicesDone: number; slicesTotal: number; rowsRead: number; rowsWritten: number }): void {
    Object.assign(this.counts, counts);
    this.rowsAtStart = counts.rowsRead;
    this.publish();
  }

  enter(step: RunStep, state: RunState = 'running'): void {
    this.step = step;
    this.state = state;
    this.publish();
  }

  rowsRead(count: number): void {
    this.counts.rowsRead += count;
    this.publish();
  }

  /** The destination has accepted the rows. Verification of the slice shows whether they arrived. */
  rowsTaken(count: number): void {
    this.counts.rowsWritten += count;
    this.publish();
  }

  /** Subtracts the rows of a slice that will be read again. */
  rowsForgotten(read: number, taken: number): void {
    this.counts.rowsRead -= read;
    this.counts.rowsWritten -= taken;
  }

  /** @param difference between the rows written and the rows counted as accepted */
  sliceLoaded(difference: number): void {
    this.counts.rowsWritten += difference;
    this.publish();
  }

  sliceEnded(): void {
    this.counts.slicesDone += 1;
    this.publish();
  }

  slicesAdded(count: number): void {
    this.counts.slicesTotal += count;
    this.publish();
  }

  requested(request: RequestRecord): void {
    this.hasMoved = true;
    this.counts.apiCalls += 1;
    this.requests.push({ ...request, at: new Date() });
  }

  /** Whether there was progress since the last call. */
  takeMoved(): boolean {
    const { hasMoved } = this;
    this.hasMoved = false;
    return hasMoved;
  }

  takeRequests(): (RequestRecord & { at: Date })[] {
    return this.requests.splice(0);
  }

  /** Sends the final event immediately. No event follows it. */
  async end(state: RunState, wait: Wait | null = null): Promise<void> {
    await this.notifications.publish(...this.lastEvents(state, wait));
  }

  /** Like `end`, for a transaction that publishes the events itself. */
  lastEvents(state: RunState, wait: Wait | null = null): LiveEvent[] {
    this.state = state;
    this.stop();
    const changed = { type: 'connection' as const, data: { connectionId: this.lease.connectionId } };
    return [
      { ...this.address(), ...this.event(wait) },
      { ...this.address(), ...changed },
    ];
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.pending);
  }

  private publish(): void {
    this.hasMoved = true;
    if (this.isStopped || this.pending) return;
    const waitMs = Math.max(0, this.publishedAtMs + PUBLISH_EVERY_MS - Date.now());
    this.pending = setTimeout(() => {
      this.pending = undefined;
      // A lost progress event does not fail the run: the next event contains newer counts.
      void this.send(null).catch(() => undefined);
    }, waitMs);
  }

  private async send(wait: Wait | null): Promise<void> {
    await this.notifications.publish({ ...this.address(), ...this.event(wait) });
  }

  private event(wait: Wait | null): { type: 'run'; data: RunProgress } {
    this.publishedAtMs = Date.now();
    const seconds = Math.max(1, (this.publishedAtMs - this.startedAtMs) / 1_000);
    const data: RunProgress = {
      runId: this.lease.runId,
      connectionId: this.lease.connectionId,
      kind: this.lease.kind,
      track: this.lease.track,
      isStuck: false,
      state: this.state,
      step: this.step,
      ...this.counts,
      quotaWaitMs: 0,
      resumeAt: wait?.resumeAt.toISOString() ?? null,
      failure: wait?.failure ?? null,
      startedAt: new Date(this.startedAtMs).toISOString(),
      rowsPerSecond: Math.round((this.counts.rowsRead - this.rowsAtStart) / seconds),
      updatedAt: new Date(this.publishedAtMs).toISOString(),
    };
    return { type: 'run', data };
  }

  private address(): { organizationId: string; connectionId: string } {
    return { organizationId: this.lease.organizationId, connectionId: this.lease.connectionId };
  }
}
