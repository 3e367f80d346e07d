import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import type pg from 'pg';

const NO_JOB: Pick<pg.QueryResult, 'rows' | 'rowCount'> = { rows: [], rowCount: 0 };
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Lets the slots of one kind look for a job together. Each slot of the queue looks once per interval, and 22 slots that each ask the
 * database are most of the statements of an idle worker. Here one of them asks for all, until a notification, or the end of a job,
 * after which the next one of its queue may start.
 */
export class IdlePolls {
  /** When the last question was asked, if its answer had no job and nothing has changed since. */
  private emptyAtMs = NEVER;
  private changes = 0;
  private asking: Promise<pg.QueryResult> | undefined;
  private readonly validMs: number;

  constructor(
    events: WorkerEvents,
    private readonly intervalMs: number,
    slots: number,
  ) {
    this.validMs = intervalMs * (1 - 1 / slots);
    for (const name of ['pool:listen:success', 'pool:listen:notification', 'job:complete'] as const)
      events.on(name, () => this.onChange());
  }

  async selectJob(select: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    if (this.emptyAtMs === NEVER) return this.ask(select);
    // The response may be lost. Then the other slots ask.
    if (this.asking) await Promise.race([this.asking.catch(() => undefined), delay(this.intervalMs, undefined, { ref: false })]);
    if (performance.now() - this.emptyAtMs < this.validMs) return NO_JOB as pg.QueryResult;
    const asking = this.ask(select).finally(() => {
      if (this.asking === asking) this.asking = undefined;
    });
    this.asking = asking;
    return asking;
  }

  private onChange(): void {
    this.changes += 1;
    this.emptyAtMs = NEVER;
  }

  private async ask(select: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    const [askedAtMs, { changes }] = [performance.now(), this];
    const result = await select();
    // Without a job that was queued in the meantime, or whose queue another slot had just locked.
    if (result.rows.length > 0) this.onChange();
    else if (changes === this.changes) this.emptyAtMs = askedAtMs;
    return result;
  }
}
