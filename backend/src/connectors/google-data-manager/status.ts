import { z } from 'zod';
import type { OutcomeCount, RequestStatus } from '../kit/conversion-target.js';

/** int64 is text in JSON. */
const count = z.union([z.string().regex(/^\d+$/), z.number()]).transform(Number);
const statusBody = z.object({
  requestStatusPerDestination: z
    .array(
      z.object({
        requestStatus: z.string().default(''),
        errorInfo: z
          .object({
            errorCounts: z.array(z.object({ recordCount: count.optional(), reason: z.string().default('') })).default([]),
          })
          .optional(),
        eventsIngestionStatus: z.object({ recordCount: count.optional() }).optional(),
      }),
    )
    .default([]),
});

type Destination = z.infer<typeof statusBody>['requestStatusPerDestination'][number];

/**
 * Reads `requestStatus:retrieve`. Unknown and missing statuses mean that Google is still processing. `recordCount` of a
 * destination counts all events that were sent, including those that failed.
 */
export function readStatus(body: unknown): RequestStatus {
  const parsed = statusBody.safeParse(body);
  const destination = parsed.success ? parsed.data.requestStatusPerDestination[0] : undefined;
  switch (destination?.requestStatus) {
    case 'SUCCESS':
      return { state: 'done', outcome: accepted };
    case 'PARTIAL_SUCCESS':
      return { state: 'partly_done', counts: countOutcomes(destination, true) };
    // The guide writes FAILURE, the reference FAILED.
    case 'FAILED':
    case 'FAILURE':
      return readFailed(destination);
    default:
      return { state: 'processing' };
  }
}

const accepted = { state: 'accepted', requestId: null, notes: [] } satisfies OutcomeCount['outcome'];

function readFailed(destination: Destination): RequestStatus {
  const counts = countOutcomes(destination, false);
  const [only, another] = counts;
  if (!only) return { state: 'done', outcome: outcomeOf('') };
  if (!another) return { state: 'done', outcome: only.outcome };
  if (counts.some(({ outcome }) => outcome.state === 'accepted')) return { state: 'partly_done', counts };
  return { state: 'done', outcome: noneCounted(counts), counts };
}

/** Which event failed for which reason is not known, but none was counted: each may be sent again. */
function noneCounted(counts: OutcomeCount[]): OutcomeCount['outcome'] {
  const outcomes = counts.map(({ outcome }) => outcome);
  const reasons = counts.flatMap(({ outcome, events }) =>
    'code' in outcome ? [`${(outcome.code ?? '').replace(/^.*\./, '')}${events === null ? '' : ` (${events})`}`] : [],
  );
  const code = 'google_data_manager.none_counted';
  const message = `Google counted no event of this request: ${reasons.join(', ')}.`;
  if (outcomes.every(({ state }) => state === 'unmatched')) return { state: 'unmatched', code, message };
  const retryable = outcomes.flatMap((outcome) => (outcome.state === 'rejected' && outcome.isRetryable ? [outcome] : []));
  const waits = retryable.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  const retryAfterSeconds = waits.length > 0 ? Math.max(...waits) : null;
  return { state: 'rejected', code, message, isRetryable: retryable.length > 0, retryAfterSeconds };
}

function countOutcomes({ errorInfo, eventsIngestionStatus }: Destination, hasAccepted: boolean): OutcomeCount[] {
  const failed = (errorInfo?.errorCounts ?? []).map(({ reason, recordCount }) => ({
    outcome: outcomeOf(reason),
    events: recordCount ?? null,
  }));
  if (!hasAccepted) return failed;
  const total = eventsIngestionStatus?.recordCount;
  const isComplete = total !== undefined && failed.length > 0 && failed.every(({ events }) => events !== null);
  const sum = failed.reduce((found, { events }) => found + (events ?? 0), 0);
  return [{ outcome: accepted, events: isComplete ? Math.max(0, total - sum) : null }, ...failed];
}

const SIX_HOURS_SECONDS = 21_600;

/** Meaning of a reason why an event was not counted. Source: processing_errors.proto. */
export function outcomeOf(reason: string): OutcomeCount['outcome'] {
  // One reason has a shorter prefix than all others.
  const name = reason.replace(/^PROCESSING_ERROR_(REASON_)?/, '') || 'UNSPECIFIED';
  const code = `google_data_manager.${name.toLowerCase()}`;
  if (name.startsWith('DUPLICATE_')) return { ...accepted, notes: [{ code, message: 'Google already has this conversion.' }] };
  if (/^(CLICK_NOT_FOUND|INVALID_CLICK|USER_ID_NOT_FOUND.*)$/.test(name))
    return { state: 'unmatched', code, message: 'Google found no ad click for this event.' };
  const rejected = (message: string, retryAfterSeconds: number | null = null, isRetryable = retryAfterSeconds !== null) =>
    ({ state: 'rejected', code, message, isRetryable, retryAfterSeconds }) as const;
  if (name === 'INTERNAL_ERROR') return rejected('Google had an internal error with this event.', null, true);
  if (name === 'TOO_RECENT_CLICK') return rejected('The click on the ad is too recent for Google.', SIX_HOURS_SECONDS);
  if (name.endsWith('_CONSENT')) return rejected('Google does not count the event, because the person has not consented.');
  if (name === 'EVENT_TOO_OLD') return rejected('The event is too old for Google.');
  if (name === 'CONVERSION_PRECEDES_CLICK') return rejected('The event happened before the click on the ad.');
  if (/TERMS_NOT_SIGNED$|^OPERATING_ACCOUNT|OPERATING_ACCOUNT_FOR_CLICK$/.test(name))
    return rejected('The Google Ads account of the conversion cannot receive this event.');
  return rejected('Google does not count the event.');
}
