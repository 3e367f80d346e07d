import type { IncomingMessage } from 'node:http';
import type { Fault } from '../faults.ts';
import type { Account } from './accounts.ts';
import { uploadAdjustment } from './adjustment-uploads.ts';
import { uploadClick, type UploadContext } from './click-uploads.ts';
import { findConversionAction } from './conversion-actions.ts';
import { GoogleAdsError } from './errors.ts';
import { isRowError, readUpload, rowError, uploadAnswer, type RowError, type UploadRequest } from './partial-failure.ts';
import type { GoogleAdsState } from './state.ts';
import type { Row } from './upload-fields.ts';

/**
 * The only developer token that may still upload clicks. The others came after 2026-06-15. Google has ignored tokens since 2026-09-09,
 * so requests without one are allow-listed by the fault allow_click_uploads instead.
 */
const allowListedToken = 'sandbox-allow-listed';

export interface UploadCall {
  request: IncomingMessage;
  account: Account;
  body: Record<string, unknown>;
  version: string;
  requestId: string;
  /** The fault allow_click_uploads. */
  isAllowed: boolean;
  /** The fault fail_conversions. */
  fault: Fault | undefined;
}

export function uploadClickConversions(state: GoogleAdsState, call: UploadCall): Record<string, unknown> {
  const isAllowListed = call.isAllowed || call.request.headers['developer-token'] === allowListedToken;
  if (!isAllowListed) throw closedToNewcomers();
  const upload = readUpload(call.body, 'conversions', 'conversionUploadError', 'TOO_MANY_CONVERSIONS_IN_REQUEST');
  return runUpload(state, call, upload, 'conversions', uploadClick);
}

export function uploadConversionAdjustments(state: GoogleAdsState, call: UploadCall): Record<string, unknown> {
  const category = 'conversionAdjustmentUploadError';
  const upload = readUpload(call.body, 'conversionAdjustments', category, 'TOO_MANY_ADJUSTMENTS_IN_REQUEST');
  return runUpload(state, call, upload, 'conversionAdjustments', uploadAdjustment);
}

function runUpload(
  state: GoogleAdsState,
  { account, fault, version, requestId }: UploadCall,
  upload: UploadRequest,
  listName: string,
  uploadRow: (context: UploadContext, row: Row) => RowError | Record<string, unknown>,
): Record<string, unknown> {
  const store = state.conversions;
  const now = state.clock.now().getTime();
  const { isValidateOnly, jobId } = upload;
  const context = { store, account, now, requestId, isValidateOnly, seen: new Set<string>() };
  const everyNth = typeof fault?.parameters.everyNth === 'number' ? fault.parameters.everyNth : 1;
  const outcomes = upload.rows.map((row, index) =>
    fault && (index + 1) % everyNth === 0
      ? rowError(String(fault.parameters.category ?? 'internalError'), String(fault.parameters.code ?? 'INTERNAL_ERROR'))
      : uploadRow(context, row),
  );
  if (!isValidateOnly) addUploads(state, account.id, upload, outcomes, { now, jobId });
  return uploadAnswer(upload, outcomes, { listName, version, requestId });
}

/** Summaries are kept per conversion action. Rows without one of the account are not in any. */
function addUploads(
  state: GoogleAdsState,
  customerId: string,
  { rows }: UploadRequest,
  outcomes: (RowError | Record<string, unknown>)[],
  { now, jobId }: { now: number; jobId: string },
): void {
  const actionOf = (index: number): string => /\d+$/.exec(String(rows[index]?.conversionAction))?.[0] ?? '';
  const groups = Map.groupBy(outcomes.entries(), ([index]) => actionOf(index));
  for (const [actionId, group] of groups) {
    if (findConversionAction(actionId)?.ownerId !== customerId) continue;
    const failures: Record<string, number> = {};
    for (const [, outcome] of group)
      if (isRowError(outcome)) {
        const reason = `${outcome.category}.${outcome.code}`;
        failures[reason] = (failures[reason] ?? 0) + 1;
      }
    const successful = group.filter(([, outcome]) => !isRowError(outcome)).length;
    const upload = { customerId, actionId, client: 'GOOGLE_ADS_API' as const, jobId, at: now, readyAt: now };
    state.conversions.addUpload({ ...upload, successful, failures });
  }
}

function closedToNewcomers(): GoogleAdsError {
  const message =
    "Click conversion uploads aren't supported in the Google Ads API for the developer token of the request. Use the Data Manager API.";
  return new GoogleAdsError('forbidden', 'notAllowlistedError', 'CUSTOMER_NOT_ALLOWLISTED_FOR_THIS_FEATURE', message);
}
