import { assertBounded, type JsonBounds } from '../../core/http/json-bounds.js';
import { Problem } from '../../core/http/problem.js';
import { assertStorable } from '../../core/http/storable.js';
import type { EventCheck } from './check-event.js';
import type { FieldError } from './event-schema.js';
import { PUSH_BATCH_EVENTS, PUSH_EVENT_BYTES } from './push-limits.js';

export interface PushedEvent {
  value: Record<string, unknown>;
  /** The same as JSON. */
  text: string;
}

export interface EventError {
  /** Index of the event in the call, from 0. */
  index: number;
  field: string;
  message: string;
}

const MAX_DEDUPE_CHARACTERS = 200;
/** Limits of one call. `items` also limits the list of events. */
const BOUNDS: JsonBounds = { levels: 33, fields: 1_000, items: 10_000, values: 100_000 };
/** Rounded numbers reported per event. */
const MAX_ROUNDED = 10;
const MAX_FIELD_CHARACTERS = 200;
/** Errors in one response. */
const MAX_ERRORS = 50;

/** The events of a call: one object, or a list of them. */
export function readEvents(body: Uint8Array): PushedEvent[] {
  const parsed = parse(body);
  const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (list.length === 0) throw new Problem('request.malformed', 'The list of events is empty.');
  if (list.length > PUSH_BATCH_EVENTS) {
    throw new Problem('request.too_large', {
      detail: `A call can contain at most ${PUSH_BATCH_EVENTS} events. This call contains ${list.length}.`,
      action: 'Send the events in several calls',
    });
  }
  return list.map((value) => ({ value: value as Record<string, unknown>, text: JSON.stringify(value) }));
}

function parse(body: Uint8Array): unknown {
  assertBounded(body, BOUNDS, 'request.malformed');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Problem('request.malformed', 'The body is not JSON in UTF-8.');
  }
}

/** What events are validated against. */
export interface Expected {
  check: EventCheck | null;
  dedupeField: string | null;
}

/** Validation errors, each with the index of its event. Stops when the response is full. */
export function errorsOfEvents(events: PushedEvent[], expected: Expected): { errors: EventError[]; isCut: boolean } {
  const errors: EventError[] = [];
  for (const [index, event] of events.entries()) {
    if (errors.length >= MAX_ERRORS) return { errors: errors.slice(0, MAX_ERRORS), isCut: true };
    for (const { field, message } of errorsOf(event, expected))
      errors.push({
        index,
        field: field ? `${index}.${field}` : String(index),
        message: events.length === 1 ? message : `Event ${index}: ${message}`,
      });
  }
  return { errors: errors.slice(0, MAX_ERRORS), isCut: errors.length > MAX_ERRORS };
}

function errorsOf({ value, text }: PushedEvent, { check, dedupeField }: Expected): FieldError[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [{ field: '', message: 'must be an object' }];
  if (Buffer.byteLength(text) > PUSH_EVENT_BYTES) return [{ field: '', message: `must be at most ${PUSH_EVENT_BYTES} bytes` }];
  const unstorable = unstorableOf(value);
  if (unstorable) return [{ field: '', message: unstorable }];
  const rounded = listRounded(value);
  if (rounded.length > 0) return rounded;
  const violations = check ? check(value) : [];
  // A schema can require the dedupe field too. One error for a field is enough.
  return dedupeField === null || isName(value[dedupeField]) || violations.some(({ field }) => field === dedupeField)
    ? violations
    : [...violations, { field: dedupeField, message: `${dedupeField} must be a string of 1 to 200 characters or an integer` }];
}

function unstorableOf(value: object): string | null {
  try {
    assertStorable(value, '');
    return null;
  } catch (error) {
    return error instanceof Problem ? error.problem.detail : String(error);
  }
}

/**
 * Numbers from 2^53 on were rounded when they were parsed: two order numbers may have become the same, and 1e400 infinite, which
 * JSON has not.
 */
function listRounded(value: unknown, path: string[] = []): FieldError[] {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    const field = path.join('.').slice(0, MAX_FIELD_CHARACTERS);
    return [
      { field, message: `${field} must be between -2^53 and 2^53, because other numbers would be rounded. Send it as text` },
    ];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value)
    .flatMap(([name, inner]) => listRounded(inner, [...path, name]))
    .slice(0, MAX_ROUNDED);
}

const isName = (value: unknown): boolean =>
  typeof value === 'string' ? value.length > 0 && value.length <= MAX_DEDUPE_CHARACTERS : Number.isSafeInteger(value);
