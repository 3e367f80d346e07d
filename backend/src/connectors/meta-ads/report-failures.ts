import type { Slice } from '../kit/contract.js';
import { type ConnectorError, RetryLater, SplitSlice } from '../kit/errors.js';

const REPORT_FAILED = 'meta_ads.report_failed';
/** After this many failed report runs in one read, the slice is split. */
export const MAX_FAILED_RUNS = 2;

export function failedAgain(reason: RetryLater): SplitSlice {
  return new SplitSlice(
    {
      code: REPORT_FAILED,
      message: `Meta failed ${MAX_FAILED_RUNS} times to create a report. The last reason: ${reason.message}`,
      action: 'No action needed: it is read in smaller parts',
    },
    { cause: reason },
  );
}

/**
 * Error of a slice that cannot be split further: one campaign of one day. `refusal`: why Meta rejected the last report. Failed
 * reports are retried later, too large ones are not.
 */
export function notReadable({ account, from }: Slice, refusal: SplitSlice | null): ConnectorError {
  if (refusal?.code === REPORT_FAILED)
    return new RetryLater({
      code: REPORT_FAILED,
      message: refusal.message,
      action: 'No action needed: the report is requested again automatically',
    });
  return new SplitSlice({
    code: 'meta_ads.report_too_large',
    message: `A single campaign of ${account.name} on ${from} is too large for a Meta report.`,
    action: 'Remove the report from the source, or choose a coarser one',
  });
}
