import { z } from 'zod';
import type { BatchAnswer, Rejection } from '../kit/bisect.js';
import type { Note } from '../kit/conversion.js';
import { partlyReceived, type ConversionOutcome } from '../kit/conversion-target.js';
import { quoteText } from '../kit/quote-text.js';
import type { GraphAnswer } from './api.js';
import { isTemporary, readFailure, toConnectorError, type GraphFailure } from './errors.js';

const successBody = z.object({
  events_received: z.number().int().nonnegative(),
  messages: z.array(z.unknown()).default([]),
  fbtrace_id: z.string().nullish(),
});

/** An answer to `count` events. */
export function readEventsAnswer(answer: GraphAnswer, count: number): BatchAnswer {
  const failure = readFailure(answer);
  if (!failure) return readSuccess(answer.body, count);
  if (isAboutEvents(failure)) return { state: 'refused', invalid: new Map(), reason: toRejection(failure) };
  const error = toConnectorError(failure);
  const outcome = isTemporary(failure)
    ? ({ state: 'unknown', code: error.code, message: error.message } as const)
    : ({ state: 'not_sent' } as const);
  return { state: 'stopped', outcome, error };
}

/** Code 100 is a wrong parameter. 33 means that the dataset is not found. */
const isAboutEvents = ({ code, subcode, isTransient, isProofWrong }: GraphFailure): boolean =>
  code === 100 && subcode !== 33 && !isTransient && !isProofWrong;

const messages: Record<number, string> = {
  2804003: 'Meta rejects the event, because it is older than 7 days (62 days for events in stores).',
  2804050: 'Meta rejects the event, because its identifiers describe too many people.',
};

/** Meta does not say which event of the request is invalid, or which field. */
function toRejection({ subcode }: GraphFailure): Rejection {
  return {
    state: 'rejected',
    code: subcode === null ? 'meta_conversions.invalid_parameter' : `meta_conversions.invalid_${subcode}`,
    message: messages[subcode ?? 0] ?? 'Meta rejects the event as not valid.',
    isRetryable: false,
    retryAfterSeconds: null,
  };
}

function readSuccess(body: unknown, count: number): BatchAnswer {
  const parsed = successBody.safeParse(body);
  if (!parsed.success)
    return allUnknown(count, 'unreadable_answer', 'Meta answered, but its answer does not say how many events arrived.');
  const { events_received: received, messages, fbtrace_id: requestId = null } = parsed.data;
  if (received === 0 && count > 0)
    return allUnknown(count, 'fewer_events_received', 'Meta answered that it received no event of the request.');
  if (received < count) return { state: 'taken', outcomes: filled(count, partlyReceived('Meta', received, count)) };
  const notes = messages.flatMap(toNote);
  return { state: 'taken', outcomes: filled(count, { state: 'accepted', requestId, notes }) };
}

const allUnknown = (count: number, code: string, message: string): BatchAnswer => ({
  state: 'taken',
  outcomes: filled(count, { state: 'unknown', code: `meta_conversions.${code}`, message }),
});

const filled = (count: number, outcome: ConversionOutcome): ConversionOutcome[] => Array.from({ length: count }, () => outcome);

/** Applies to the request. Meta does not say to which of its events. */
function toNote(text: unknown): Note[] {
  if (typeof text !== 'string' || text.trim() === '') return [];
  return [{ code: 'meta_conversions.message', message: `Meta says about the request: ${quoteText(text)}.` }];
}
