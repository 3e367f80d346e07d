import type { RetryLater } from '../../connectors/kit/errors.js';
import type { SliceRow } from '../ledger/sync.queries.js';

/** Slices of one account, or of one stream, that fail in a row before the others of it are not tried in this attempt. */
const SCOPE_FAULTS = 3;
/** Slices of any kind in a row before the whole run waits: the platform, the destination or the network is down. */
const RUN_FAULTS = 6;

type Scope = Pick<SliceRow, 'stream' | 'accountId'>;

/**
 * Which transient errors of slices are of a larger part of the run: without this, an outage would be met once for each slice.
 * Counts within one attempt at a run; a slice that arrives proves that its account and stream work.
 */
export class SliceFaults {
  private readonly failedIds = new Map<string, Set<string>>();
  private readonly closed = new Map<string, RetryLater>();

  arrived(slice: Scope): void {
    for (const scope of scopesOf(slice)) this.failedIds.delete(scope);
  }

  /** `run`: every part of the run fails. `scope`: the account or the stream does, see `closedBy`. `slice`: nothing else is known to. */
  failed(slice: SliceRow, error: RetryLater): 'run' | 'scope' | 'slice' {
    const [run, ...others] = scopesOf(slice).map((scope) => ({ scope, count: this.count(scope, slice.id) }));
    if (run && run.count >= RUN_FAULTS) return 'run';
    const closing = others.filter(({ count }) => count >= SCOPE_FAULTS);
    for (const { scope } of closing) this.closed.set(scope, error);
    return closing.length > 0 ? 'scope' : 'slice';
  }

  /** The error for which slices of this account or stream are not tried in this attempt; null when they are. */
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
