import { describeError } from '~/api/http/describe-error';
import { formatCount } from '~/lib/numbers';

/** Failures that are listed with their reasons. */
const LISTED = 3;

interface BulkFailure {
  connection: { name: string };
  error: unknown;
}

/** `19 runs started, 1 failed. Brand: The source was deleted` */
export function describeBulk(done: string, failures: readonly BulkFailure[]): string {
  if (failures.length === 0) return done;
  const reasons = failures.slice(0, LISTED).map(({ connection, error }) => `${connection.name}: ${describeError(error).message}`);
  const rest = failures.length > LISTED ? [`${formatCount(failures.length - LISTED)} more`] : [];
  return `${done}, ${formatCount(failures.length)} failed. ${[...reasons, ...rest].join('; ')}`;
}
