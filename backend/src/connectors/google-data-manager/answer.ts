import { z } from 'zod';
import type { BatchAnswer, Rejection } from '../kit/bisect.js';
import type { Note } from '../kit/conversion.js';
import { ASK_OPERATOR } from '../kit/error-table.js';
import { FixSettings, ReconnectNeeded, RetryLater, type ConnectorError } from '../kit/errors.js';
import { refusalOfInstallation } from '../kit/google-refusals.js';

const compareNumbers = 'Compare the number of conversions in Google Ads';
const nothingToDo = 'No action needed: Tributary retries automatically';

const errorBody = z.object({
  error: z.object({
    status: z.string().default(''),
    details: z
      .array(
        z.object({
          reason: z.string().optional(),
          domain: z.string().optional(),
          requestId: z.string().optional(),
          metadata: z.record(z.string(), z.string()).optional(),
          fieldViolations: z.array(z.object({ field: z.string().default(''), reason: z.string().optional() })).optional(),
        }),
      )
      .default([]),
  }),
});

const ingestBody = z.object({
  requestId: z.string().min(1).optional(),
  fieldWarnings: z.array(z.object({ field: z.string().default(''), reason: z.string().default('UNKNOWN') })).default([]),
});

interface Failure {
  status: number;
  /** `INVALID_ARGUMENT`; empty if the body is not Google's. */
  name: string;
  reason: string | null;
  /** Whether the reason is that of the front end of all Google APIs. */
  isFrontDoor: boolean;
  violations: { field: string; reason?: string | undefined }[];
  requestId: string | null;
}

/** An answer of `events:ingest` to `count` events. */
export function readIngestAnswer(
  { status, retryAfter }: { status: number; retryAfter: string | null },
  body: unknown,
  count: number,
  isValidateOnly = false,
): BatchAnswer {
  if (status === 200) return readSuccess(body, count, isValidateOnly);
  const failure = readFailure(status, body);
  const setup = setupError(failure);
  if (setup) return { state: 'stopped', outcome: { state: 'not_sent' }, error: setup };
  if (status === 429) return { state: 'stopped', outcome: { state: 'not_sent' }, error: throttled(failure, retryAfter) };
  if (status === 400) return readRefusal(failure, count);
  const error = temporary(failure);
  return { state: 'stopped', outcome: { state: 'unknown', code: error.code, message: error.message }, error };
}

/** Why the status of a request could not be read. */
export function statusError(status: number, retryAfter: string | null, body: unknown): ConnectorError {
  const failure = readFailure(status, body);
  const isRequestUnknown =
    failure.reason === 'INVALID_REQUEST_ID' || failure.violations.some((one) => one.reason === 'INVALID_REQUEST_ID');
  if (isRequestUnknown)
    return new FixSettings({
      code: 'google_data_manager.invalid_request_id',
      message: 'Google does not know this request, so its result cannot be read.',
      action: compareNumbers,
      providerRequestId: failure.requestId,
    });
  const setup = setupError(failure);
  if (setup) return setup;
  if (status === 400)
    return new FixSettings({
      code: 'google_data_manager.status_refused',
      message: 'Google does not return the result of this request.',
      action: compareNumbers,
      providerRequestId: failure.requestId,
    });
  return status === 429 ? throttled(failure, retryAfter) : temporary(failure);
}

/** 200 means accepted for processing. Whether the events became conversions is known only from the status of the request. */
function readSuccess(body: unknown, count: number, isValidateOnly: boolean): BatchAnswer {
  const parsed = ingestBody.safeParse(body);
  const requestId = parsed.success ? (parsed.data.requestId ?? null) : null;
  const warnings = parsed.success ? parsed.data.fieldWarnings : [];
  const outcomes = [...Array(count).keys()].map((index) => {
    const notes = warnings.filter(({ field }) => (eventIndexOf(field) ?? index) === index).map(toNote);
    if (isValidateOnly) return { state: 'accepted' as const, requestId, notes };
    if (requestId) return { state: 'pending' as const, requestId, notes };
    const message = 'Google accepted the request without an id, so its result cannot be read.';
    return { state: 'unknown' as const, code: 'google_data_manager.no_request_id', message };
  });
  return { state: 'taken', outcomes };
}

const toNote = ({ field, reason }: { field: string; reason: string }): Note => ({
  code: `google_data_manager.${reason.toLowerCase()}`,
  message: `Google ignores the field ${field.split('.').at(-1) ?? ''} of the event.`,
});

function readFailure(status: number, body: unknown): Failure {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return { status, name: '', reason: null, isFrontDoor: false, violations: [], requestId: null };
  const { status: name, details } = parsed.data.error;
  const requestId = details.find((detail) => detail.requestId)?.requestId;
  const info = details.find((detail) => detail.reason);
  return {
    status,
    name,
    reason: info?.reason ?? null,
    isFrontDoor: info?.domain === 'googleapis.com',
    violations: details.flatMap((detail) => detail.fieldViolations ?? []),
    requestId: requestId ?? details.find((detail) => detail.metadata?.['requestId'])?.metadata?.['requestId'] ?? null,
  };
}

/** Google writes `events.events[3].user_data…` and `events[3]`. */
function eventIndexOf(field: string): number | null {
  const [, index] = /^(?:events\.)?events\[(\d+)\]/.exec(field) ?? [];
  return index === undefined ? null : Number(index);
}

/** Nothing of the request was taken. Google names the invalid events, but not in every case. */
function readRefusal({ violations, reason }: Failure, count: number): BatchAnswer {
  const named = violations.flatMap((violation) => {
    const index = eventIndexOf(violation.field);
    return index !== null && index < count ? [[index, rejected(violation.reason ?? reason, violation.field)] as const] : [];
  });
  return { state: 'refused', invalid: new Map(named), reason: rejected(violations[0]?.reason ?? reason, '') };
}

/** The text of Google's description is not used: it may contain the value. */
function rejected(reason: string | null | undefined, field: string): Rejection {
  const part = field.split('.').slice(2).join('.');
  return {
    state: 'rejected',
    code: `google_data_manager.${(reason ?? 'invalid_argument').toLowerCase()}`,
    message: part ? `Google rejects the event: ${part} is not valid.` : 'Google rejects the event as not valid.',
    isRetryable: false,
    retryAfterSeconds: null,
  };
}

const actionReasons = new Set(['INVALID_CONVERSION_ACTION_ID', 'INVALID_CONVERSION_ACTION_TYPE', 'INVALID_DESTINATION']);
const termsReasons = /^(DESTINATION_ACCOUNT_|TERMS_AND_CONDITIONS_NOT_SIGNED|NOT_ALLOWLISTED|OPERATING_ACCOUNT_)/;

/** An error of the conversion's settings or of the app's access. It is not in the events, which stay queued. */
function setupError(failure: Failure): ConnectorError | null {
  const { status, name, reason, requestId } = failure;
  const reasons = [reason ?? '', ...failure.violations.map((violation) => violation.reason ?? '')];
  const detail = (code: string, message: string, action: string) => ({
    code: `google_data_manager.${code}`,
    message,
    action,
    providerRequestId: requestId,
  });
  if (reason === 'SERVICE_DISABLED')
    return new FixSettings(
      detail('service_disabled', 'The Data Manager API is not enabled for this installation.', ASK_OPERATOR),
    );
  if (failure.isFrontDoor && refusalOfInstallation(`errorInfo.${reason}`, status))
    return new FixSettings(detail('project_refused', refusedProject, ASK_OPERATOR));
  if (status === 401) return new ReconnectNeeded(detail('unauthenticated', 'Google rejected the stored access.', reconnect));
  if (reasons.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT'))
    return new ReconnectNeeded(detail('scope_missing', 'The permission to send conversions was not granted.', reconnect));
  if (reasons.some((one) => termsReasons.test(one)))
    return new FixSettings(
      detail(
        'account_not_ready',
        'The Google Ads account cannot receive these conversions yet.',
        'Accept the terms for customer data and enhanced conversions in Google Ads',
      ),
    );
  if (reasons.some((one) => actionReasons.has(one)) || failure.violations.some(({ field }) => field.startsWith('destinations')))
    return new FixSettings(detail('action_invalid', 'The conversion action does not accept these events.', chooseAction));
  if (status === 403 || name === 'PERMISSION_DENIED')
    return new FixSettings({
      ...detail(
        'permission_denied',
        'The connected Google user cannot send conversions to this account.',
        'Give the user access in Google Ads',
      ),
      failureClass: 'permission',
    });
  return status === 404 ? new FixSettings(detail('not_found', 'Google did not find the conversion action.', chooseAction)) : null;
}

const reconnect = 'Reconnect with Google';
const refusedProject = 'Google does not allow the Google Cloud project of this installation to use the Data Manager API.';
const chooseAction = 'Choose another conversion action';

function throttled({ requestId }: Failure, retryAfter: string | null): RetryLater {
  const seconds = Number(retryAfter ?? Number.NaN);
  return new RetryLater({
    code: 'google_data_manager.resource_exhausted',
    message: 'Google throttles requests of this installation.',
    action: nothingToDo,
    providerRequestId: requestId,
    failureClass: 'quota',
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  });
}

/** Events of such a request may have been stored. A second attempt with the same transaction ids is safe. */
function temporary({ status, name, requestId }: Failure): RetryLater {
  return new RetryLater({
    code: `google_data_manager.${name ? name.toLowerCase() : `http_${status}`}`,
    message: 'Google had a temporary error.',
    action: nothingToDo,
    providerRequestId: requestId,
  });
}
