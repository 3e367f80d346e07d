import { dayText } from '../../connectors/kit/day-text.js';
import type { NotVerifiedYet } from '../../connectors/kit/errors.js';
import { formatCount, plural } from '../../connectors/kit/plural.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { toFailure } from '../../core/http/failures.js';
import type { SliceResult } from './run-slice.js';

/** The rows of a slice differ at the destination. */
export function mismatch(accountName: string, result: SliceResult): Failure {
  const { expected, found, differingDays, differingColumns } = result;
  const [first = ''] = differingDays;
  const days = differingDays.length === 1 ? dayText(first) : `${differingDays.length} days since ${dayText(first)}`;
  // With different row counts every column differs, so the names would not help.
  const isNamed = differingColumns.length > 0 && expected.rows === found.rows;
  return {
    class: 'destination',
    code: 'sync.mismatch',
    message: `${accountName}, ${days}: ${differenceOf(result)}.`,
    action: isNamed ? 'Remove the trigger or rule that changes values, then run again' : 'Run again',
    providerRequestId: null,
  };
}

function differenceOf({ expected, found, differingColumns }: SliceResult): string {
  const missing = expected.rows - found.rows;
  if (missing > 0)
    return `${formatCount(missing)} of ${plural(expected.rows, 'row')} ${missing === 1 ? 'is' : 'are'} missing at the destination`;
  if (found.rows > expected.rows)
    return `the destination has ${formatCount(found.rows - expected.rows)} more than the ${plural(expected.rows, 'row')} sent`;
  return differingColumns.length > 0
    ? `the destination has other values in ${differingColumns.join(', ')}`
    : 'the destination reports another cost';
}

/** Uses a code of the engine, by which the run ends `unverified` instead of `failed`. */
export const notVerifiedYet = (accountName: string, error: NotVerifiedYet): Failure => ({
  ...toFailure(error),
  code: 'sync.unverified_late',
  message: `${accountName}: ${error.message}`,
});
