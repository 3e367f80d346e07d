import type { Slice } from '../kit/contract.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';
import { ConnectorError, RetryLater, SplitSlice } from '../kit/errors.js';
import { pause } from '../kit/meta-usage.js';
import type { GraphApi } from './api.js';

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

const SMALLER_PARTS = new Set(['meta_ads.too_much_data', 'meta_ads.too_much_per_call', 'meta_ads.report_timed_out']);

/** A single day has no smaller parts, so it is retried later. */
export function unlessSingleDay(error: unknown, { from, to }: Slice): unknown {
  if (!(error instanceof SplitSlice) || from !== to || !SMALLER_PARTS.has(error.code)) return error;
  const { code, message, providerRequestId } = error;
  return new RetryLater({ code, message, action: NOTHING_TO_DO, providerRequestId }, { cause: error });
}

/** What Meta returns at random for the rows of a complete run, with the code of the second error. */
const LOST_ROWS = new Map([
  // 100/33, as for a closed account (airbyte #46545).
  ['meta_ads.account_unknown', 'meta_ads.report_rows_lost'],
  ['meta_ads.report_fields_lost', 'meta_ads.report_fields_lost'],
]);

/** Whether the run has to be replaced. */
export const areRowsLost = (error: unknown): boolean =>
  error instanceof RetryLater && [...LOST_ROWS.values()].includes(error.code);

/** Requests a page of a complete run once more if its rows are lost. After the second error another run is needed. */
export function resultsOf(api: GraphApi, pauseMs: number): Pick<GraphApi, 'get'> {
  return {
    get: async (context, path, parameters) => {
      for (let isLast = false; ; isLast = true) {
        try {
          return await api.get(context, path, parameters);
        } catch (error) {
          const code = error instanceof ConnectorError ? LOST_ROWS.get(error.code) : undefined;
          if (code === undefined) throw error;
          if (isLast) throw rowsLost(code, error);
          await pause(context, pauseMs);
        }
      }
    },
  };
}

const rowsLost = (code: string, cause: unknown): RetryLater =>
  new RetryLater(
    {
      code,
      message: 'Meta did not return the rows of a complete report.',
      action: 'No action needed: another report is requested automatically',
      providerRequestId: cause instanceof ConnectorError ? cause.providerRequestId : null,
    },
    { cause },
  );
