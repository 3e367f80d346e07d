import type { RetryLater } from '../../connectors/kit/errors.js';
import type { SliceRow } from '../ledger/sync.queries.js';

/** Consecutive failed slices of one account or stream after which this attempt skips its other slices. */
const SCOPE_FAULTS = 3;
/** Consecutive failed slices of any kind after which the run waits: the platform, the destination or the network is down. */
const RUN_FAULTS = 6;

type Scope = Pick<SliceRow, 'stream' | 'accountId'>;

/**
 * Detects transient errors that affect a larger part of the run. Without it, every slice would wait for the same outage.
 * Counts within one attempt of a run. A loaded slice shows that its account and stream work.
 */
export class SliceFaults {
  private readonly failedIds = new Map<string, Set<string>>();
  private readonly closed = new Map<string, RetryLater>();

  arrived(slice: Scope): void {
    for (const scope of scopesOf(slice)) this.failedIds.delete(scope);
  }

  /** `run`: every part of the run fails. `scope`: the account or stream fails, see `closedBy`. `slice`: only this slice fails. */
  failed(slice: SliceRow, error: RetryLater): 'run' | 'scope' | 'slice' {
    const [run, ...others] = scopesOf(slice).map((scope) => ({ scope, count: this.count(scope, slice.id) }));
    if (run && run.count >= RUN_FAULTS) return 'run';
    const closing = others.filter(({ count }) => count >= SCOPE_FAULTS);
    for (const { scope } of closing) this.closed.set(scope, error);
    return closing.length > 0 ? 'scope' : 'slice';
  }

  /** The error because of which this attempt skips slices of this account or stream; null if it does not. */
  closedBy(slice: Scope): RetryLater | null {
    for (const scope of scopesOf(slice)) {
      const error = this.closed.get(scope);
      if (error) return error;
    }
    return null;
  }

  private count(scope: string, sliceId: string): number {
    const ids = this.failedIds.get(scope) ?? new Set();
    this.failedIds.set(scope, ids.add(sliceId));
    return ids.size;
  }
}

const scopesOf = ({ stream, accountId }: Scope): string[] => ['run', `account/${accountId}`, `stream/${stream}`];
