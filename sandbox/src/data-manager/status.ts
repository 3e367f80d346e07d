import { invalidArgument, missing } from './errors.ts';
import { textOf, type Strike } from './faults.ts';
import type { AcceptedRequest, DestinationResult } from './state.ts';

export function invalidRequestId(): Error {
  const description =
    "The request ID used to retrieve the status of a request is not valid. Status can only be retrieved for requests that succeed and don't have `validate_only=true`.";
  return invalidArgument([{ field: 'request_id', description, reason: 'INVALID_REQUEST_ID' }]);
}

export function missingRequestId(): Error {
  return invalidArgument([missing('request_id')]);
}

/** RetrieveRequestStatusResponse: one entry per destination, in the order of the request. */
export function statusBody(request: AcceptedRequest, now: number, strike: Strike): Record<string, unknown> {
  const processing = strike('processing');
  const seconds = processing?.parameters.seconds;
  const isHeld = processing && (typeof seconds !== 'number' || now < request.acceptedAt + seconds * 1_000);
  const isProcessing = isHeld || now < request.readyAt;
  const isUnknown = strike('status_unknown') !== undefined;
  return {
    requestStatusPerDestination: request.results.map((result) => {
      if (isUnknown) return { destination: result.destination, requestStatus: 'REQUEST_STATUS_UNKNOWN' };
      if (isProcessing) return { destination: result.destination, requestStatus: 'PROCESSING', ...counted(result, strike) };
      return finalStatus(result, strike);
    }),
  };
}

function finalStatus(result: DestinationResult, strike: Strike): Record<string, unknown> {
  const failed = Object.values(result.failures).reduce((sum, count) => sum + count, 0);
  const allFailed = failed > 0 && failed === result.records;
  const allFailedStatus = strike('failure_spelling') ? 'FAILURE' : 'FAILED';
  const requestStatus = failed === 0 ? 'SUCCESS' : allFailed ? allFailedStatus : 'PARTIAL_SUCCESS';
  const errorCounts = Object.entries(result.failures).map(([reason, count]) => ({ recordCount: String(count), reason }));
  const warnings = strike('warnings');
  const warningReason = warnings ? textOf(warnings, 'reason', 'PROCESSING_WARNING_REASON_INTERNAL_ERROR') : '';
  return {
    destination: result.destination,
    requestStatus,
    ...(failed > 0 && { errorInfo: strike('empty_error_info') ? {} : { errorCounts } }),
    ...(warnings && { warningInfo: { warningCounts: [{ recordCount: '1', reason: warningReason }] } }),
    ...counted(result, strike),
  };
}

/** int64 is text in JSON. The count includes events that failed. */
function counted({ records }: DestinationResult, strike: Strike): Record<string, unknown> {
  return { eventsIngestionStatus: { recordCount: String(strike('zero_count') ? 0 : records) } };
}
