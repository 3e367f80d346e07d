import { Problem } from '../platform/problem.js';
import { assertStorable } from '../platform/storable.js';
import { type EventSchema, violationsOf } from './event-schema.js';
import { PUSH_BATCH_EVENTS, PUSH_EVENT_BYTES } from './push-limits.js';

export interface PushedEvent {
  value: Record<string, unknown>;
  /** The same as JSON. */
  text: string;
}

export interface EventError {
  /** Which event of the call, from 0. */
  index: number;
  field: string;
  message: string;
}

const MOST_DEDUPE_CHARACTERS = 200;

/** The events of a call: one object, or a list of them. */
export function readEvents(body: unknown): PushedEvent[] {
  const parsed = parse(body);
  const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (list.length === 0) throw new Problem('request.malformed', 'The list of events is empty.');
  if (list.length > PUSH_BATCH_EVENTS) {
    throw new Problem('request.too_large', {
      detail: `At most ${PUSH_BATCH_EVENTS} events a call; these are ${list.length}.`,
      action: 'Send them in several calls',
    });
  }
  return list.map((value) => ({ value: value as Record<string, unknown>, text: JSON.stringify(value) }));
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body as Uint8Array));
  } catch {
    throw new Problem('request.malformed', 'The body is not JSON in UTF-8.');
  }
}

/** Every way in which an event is not as it must be, named by its place in the list. */
export function errorsOfEvents(
  events: PushedEvent[],
  { schema, dedupeField }: { schema: EventSchema | null; dedupeField: string | null },
): EventError[] {
  return events.flatMap((event, index) =>
    errorsOf(event, schema, dedupeField).map(({ field, message }) => ({
      index,
      field: field ? `${index}.${field}` : String(index),
      message: events.length === 1 ? message : `Event ${index}: ${message}`,
    })),
  );
}

function errorsOf(
  { value, text }: PushedEvent,
  schema: EventSchema | null,
  dedupeField: string | null,
): { field: string; message: string }[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [{ field: '', message: 'must be an object' }];
  if (Buffer.byteLength(text) > PUSH_EVENT_BYTES) return [{ field: '', message: `must be at most ${PUSH_EVENT_BYTES} bytes` }];
  const unstorable = unstorableOf(value);
  if (unstorable) return [{ field: '', message: unstorable }];
  const violations = schema ? violationsOf(schema, value) : [];
  return dedupeField === null || isName(value[dedupeField])
    ? violations
    : [...violations, { field: dedupeField, message: `${dedupeField} must be a text of 1 to 200 characters or a whole number` }];
}

function unstorableOf(value: object): string | null {
  try {
    assertStorable(value, '');
    return null;
  } catch (error) {
    return error instanceof Problem ? error.problem.detail : String(error);
  }
}

/** Numbers beyond 2^53 were rounded when they were read: two orders would become one. */
const isName = (value: unknown): boolean =>
  typeof value === 'string' ? value.length > 0 && value.length <= MOST_DEDUPE_CHARACTERS : Number.isSafeInteger(value);
