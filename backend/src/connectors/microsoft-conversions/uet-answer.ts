import { z } from 'zod';
import type { BatchAnswer, Rejection } from '../kit/bisect.js';
import type { Note } from '../kit/conversion.js';
import { partlyReceived, type ConversionOutcome } from '../kit/conversion-target.js';
import { ASK_OPERATOR, NOTHING_TO_DO } from '../kit/error-table.js';
import { FixSettings, RetryLater, type ConnectorError } from '../kit/errors.js';

const detailSchema = z.object({
  index: z.number().int().catch(-1),
  /** `data[3].userData.em` */
  propertyName: z.string().default(''),
  errorCode: z.string().nullish(),
  isWarning: z.boolean().default(false),
});
type Detail = z.infer<typeof detailSchema>;

const bodySchema = z.object({
  eventsReceived: z.number().int().nonnegative().optional(),
  error: z.object({ details: z.array(detailSchema).nullish() }).nullish(),
});

/** Only so many errors and warnings of a request are listed. */
const LISTED_DETAILS = 10;

/** An answer to `count` events. */
export function readUetAnswer(status: number, retryAfter: string | null, body: unknown, count: number): BatchAnswer {
  const parsed = bodySchema.safeParse(body);
  const details = parsed.success ? (parsed.data.error?.details ?? []) : [];
  if (status === 200) return readSuccess(parsed.success ? parsed.data.eventsReceived : undefined, details, count);
  if (status === 400) return readRefusal(details, count);
  const error = toError(status, retryAfter);
  const isUnknown = status >= 500;
  const outcome = isUnknown
    ? ({ state: 'unknown', code: error.code, message: error.message } as const)
    : ({ state: 'not_sent' } as const);
  return { state: 'stopped', outcome, error };
}

/** Nothing of the request was processed. */
function readRefusal(details: Detail[], count: number): BatchAnswer {
  const errors = details.filter(({ isWarning }) => !isWarning);
  // The list itself is not valid, so no event is.
  if (errors.length > 0 && errors.every(({ propertyName }) => propertyName === 'data')) {
    return { state: 'stopped', outcome: { state: 'not_sent' }, error: refusedRequest() };
  }
  const own = errors.filter(({ index }) => index >= 0 && index < count);
  return { state: 'refused', invalid: new Map(byIndex(own)), reason: toRejection([]) };
}

const byIndex = (errors: Detail[]): [number, Rejection][] =>
  [...new Set(errors.map(({ index }) => index))].map((index) => [
    index,
    toRejection(errors.filter((error) => error.index === index)),
  ]);

/** The text of the error is not used: it may contain the value. */
function toRejection(errors: Detail[]): Rejection {
  const fields = [...new Set(errors.map(fieldOf))].filter((field) => field !== '');
  return {
    state: 'rejected',
    code: codeOf(errors[0]),
    message: `Microsoft rejects the event${fields.length > 0 ? `: ${fields.join(', ')} is not valid` : ' as not valid'}.`,
    isRetryable: false,
    retryAfterSeconds: null,
  };
}

const fieldOf = ({ propertyName }: Detail): string => propertyName.replace(/^data\[\d+\]\.?/, '');

/** `InvalidSha256` → `invalid_sha256`. Numbers of these errors are not documented. */
function codeOf(detail: Detail | undefined): string {
  const name = (detail?.errorCode ?? '').replace(/[^A-Za-z0-9]/g, '') || 'ValidationError';
  return `microsoft_conversions.${name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase()}`;
}

/** Events are processed, but a field with a warning is removed: an event may lose its value or an identifier. */
function readSuccess(received: number | undefined, details: Detail[], count: number): BatchAnswer {
  const rejected = new Map(byIndex(details.filter(({ isWarning }) => !isWarning)));
  if (received === undefined || received + rejected.size < count) {
    const other = received ? partlyReceived('Microsoft', received, count) : noneReceived(received);
    return { state: 'taken', outcomes: Array.from({ length: count }, (_, index) => rejected.get(index) ?? other) };
  }
  const isComplete = details.length < LISTED_DETAILS;
  const outcomeOf = (index: number): ConversionOutcome => {
    const notes = details.filter((detail) => detail.isWarning && detail.index === index).map(toNote);
    return { state: 'accepted', requestId: null, notes: notes.length > 0 || isComplete ? notes : [maybeIncomplete] };
  };
  return { state: 'taken', outcomes: Array.from({ length: count }, (_, index) => rejected.get(index) ?? outcomeOf(index)) };
}

const toNote = (detail: Detail): Note => ({
  code: codeOf(detail),
  message: `Microsoft ignores the field ${fieldOf(detail)} of the event, because it is not valid.`,
});

const maybeIncomplete: Note = {
  code: 'microsoft_conversions.warnings_not_listed',
  message: `Microsoft lists only ${LISTED_DETAILS} warnings for each request. It may have ignored a field of this event.`,
};

const noneReceived = (received: number | undefined): ConversionOutcome => ({
  state: 'unknown',
  code: received === undefined ? 'microsoft_conversions.unreadable_answer' : 'microsoft_conversions.fewer_events_received',
  message:
    received === undefined
      ? 'Microsoft answered, but its answer does not say how many events arrived.'
      : 'Microsoft answered that it received no event of the request.',
});

const refusedRequest = (): FixSettings =>
  new FixSettings({
    code: 'microsoft_conversions.request_refused',
    message: 'Microsoft rejected the request, but not because of one of its events.',
    action: ASK_OPERATOR,
  });

function toError(status: number, retryAfter: string | null): ConnectorError {
  if (status === 401 || status === 403)
    return new FixSettings({
      code: 'microsoft_conversions.tag_key_refused',
      message: 'Microsoft rejected the key of the UET tag.',
      action: 'Choose another goal, or give the connected user access to the tag',
      failureClass: 'permission',
    });
  if (status === 404)
    return new FixSettings({
      code: 'microsoft_conversions.tag_unknown',
      message: 'Microsoft did not find the UET tag.',
      action: 'Choose another goal',
    });
  if (status < 500 && status !== 429) return refusedRequest();
  const seconds = Number(retryAfter ?? Number.NaN);
  return new RetryLater({
    code: `microsoft_conversions.uet_http_${status}`,
    message: status === 429 ? 'Microsoft throttles events of this UET tag.' : 'Microsoft had a temporary error.',
    action: NOTHING_TO_DO,
    failureClass: status === 429 ? 'quota' : 'transient',
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  });
}
