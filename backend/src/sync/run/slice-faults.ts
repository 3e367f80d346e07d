import type { ConnectorError } from '../../connectors/kit/errors.js';
import type { SliceRow } from '../ledger/sync.queries.js';

/** Failed slices of one part of the run, without a loaded one, after which this attempt skips the rest of the part. */
const SCOPE_FAULTS = 3;
/** Consecutive failed slices of any kind after which the run waits: the platform, the destination or the network is down. */
const RUN_FAULTS = 6;

type Scope = Pick<SliceRow, 'stream' | 'accountId'>;

/**
 * Detects errors that affect a larger part of the run. Without it, every slice would wait for the same outage, or be rejected alike.
 * Counts within one attempt of a run. A loaded slice shows that its account and stream work.
 */
export class SliceFaults<Fault extends ConnectorError> {
  /** Failed slices by id since the last loaded slice of the scope. */
  private readonly failures = new Map<string, Map<string, Scope>>();
  private readonly closed = new Map<string, Fault>();

  arrived(slice: Scope): void {
    for (const scope of scopesOf(slice)) this.failures.delete(scope);
  }

  /** `run`: every part of the run fails. `scope`: a part of it fails, see `closedBy`. `slice`: only this slice fails. */
  failed(slice: SliceRow, error: Fault): 'run' | 'scope' | 'slice' {
    const [run, ...parts] = scopesOf(slice).map((scope) => ({ scope, failures: this.add(scope, slice) }));
    if (run && run.failures.length >= RUN_FAULTS) return 'run';
    const closing = parts.filter(({ scope, failures }) => failures.length >= SCOPE_FAULTS && isAffected(scope, failures));
    for (const { scope } of closing) this.closed.set(scope, error);
    return closing.length > 0 ? 'scope' : 'slice';
  }

  /** The error because of which this attempt skips the slice; null if it does not. */
  closedBy(slice: Scope): Fault | null {
    for (const scope of scopesOf(slice)) {
      const error = this.closed.get(scope);
      if (error) return error;
    }
    return null;
  }

  private add(scope: string, slice: SliceRow): Scope[] {
    const failures = this.failures.get(scope) ?? new Map<string, Scope>();
    this.failures.set(scope, failures.set(slice.id, slice));
    return [...failures.values()];
  }
}

const scopesOf = ({ stream, accountId }: Scope): string[] => [
  'run',
  `account/${accountId}`,
  `stream/${stream}`,
  `both/${stream}/${accountId}`,
];

/** An account fails if two of its streams fail, and a stream if it fails for two accounts. */
function isAffected(scope: string, failures: Scope[]): boolean {
  if (scope.startsWith('account/')) return new Set(failures.map(({ stream }) => stream)).size > 1;
  if (scope.startsWith('stream/')) return new Set(failures.map(({ accountId }) => accountId)).size > 1;
  return true;
}
