import type { Json } from './event.ts';

export interface FailedRecord {
  index: number;
  insertId: string;
  field: string;
  message: string;
}

export interface ValidEvent {
  event: string;
  time: number;
  distinctId: string;
  insertId: string;
  properties: Record<string, Json>;
}

type Problem = { field: string; message: string };
type Result = { isValid: true; event: ValidEvent } | ({ isValid: false; insertId: string } & Problem);

const eventBytes = 1_048_576;
const propertyLimit = 255;
const depthLimit = 3;
const textLimit = 255;
const firstTime = Date.UTC(1971, 0, 1);
const hourMs = 3_600_000;
/** Smaller values are seconds: as milliseconds they would be in 1973. */
const secondsBelow = 100_000_000_000;
const forbiddenIds = new Set(
  '00000000-0000-0000-0000-000000000000 anon anonymous nil none null n/a na undefined unknown <nil> 0 -1 true false [] {}'.split(
    ' ',
  ),
);

/** Validates one event as /import does with strict=1. `senderId` is used for a missing distinct_id. */
export function validateEvent(raw: unknown, now: number, senderId: string): Result {
  if (!isObject(raw)) return fail('', 'event', "'event' is invalid: must be a JSON object");
  const properties = isObject(raw.properties) ? raw.properties : null;
  const insertId = typeof properties?.$insert_id === 'string' ? properties.$insert_id : '';
  const problem = findProblem(raw, properties, now);
  if (problem) return { isValid: false, insertId, ...problem };
  const { time, distinct_id, $insert_id, ip, ...others } = properties as Record<string, Json>;
  const sentAt = Number(time) < secondsBelow ? Number(time) * 1_000 : Number(time);
  return {
    isValid: true,
    event: {
      event: raw.event as string,
      // Times in the future are set to now.
      time: Math.min(sentAt, now),
      // The sender's hashed address: without distinct_id, such an event gets a user.
      distinctId: distinct_id === undefined ? senderId : String(distinct_id),
      insertId: String($insert_id),
      properties: { ...truncateTexts(others), ...geolocate(ip) },
    },
  };
}

function findProblem(raw: Record<string, Json>, properties: Record<string, Json> | null, now: number): Problem | null {
  if (typeof raw.event !== 'string' || raw.event === '') return problem('event', 'must not be missing or empty');
  if (!properties) return problem('properties', 'must be a JSON object');
  const bytes = Buffer.byteLength(JSON.stringify(raw));
  if (bytes > eventBytes) return problem('event', `must be smaller than ${eventBytes} bytes`);
  if (Object.keys(properties).length >= propertyLimit)
    return problem('properties', `must have fewer than ${propertyLimit} properties`);
  return (
    timeProblem(properties.time, now) ??
    insertIdProblem(properties.$insert_id) ??
    distinctIdProblem(properties.distinct_id) ??
    nestingProblem(properties)
  );
}

function timeProblem(time: Json | undefined, now: number): Problem | null {
  if (typeof time !== 'number' || !Number.isFinite(time) || time <= 0)
    return problem('properties.time', 'must be specified as seconds since epoch');
  const sentAt = time < secondsBelow ? time * 1_000 : time;
  if (sentAt < firstTime) return problem('properties.time', 'must be after 1971-01-01');
  return sentAt > now + hourMs ? problem('properties.time', 'must not be more than 1 hour in the future') : null;
}

function insertIdProblem(id: Json | undefined): Problem | null {
  const field = 'properties.$insert_id';
  if (typeof id !== 'string' || id === '') return problem(field, 'must not be missing');
  if (Buffer.byteLength(id) > 36) return problem(field, 'must be at most 36 bytes');
  if (!/^[A-Za-z0-9-]+$/.test(id)) return problem(field, 'must contain only alphanumeric characters and "-"');
  return forbiddenIds.has(id.toLowerCase()) ? problem(field, `'${id}' is not allowed`) : null;
}

/** Empty text is allowed and means no user. */
function distinctIdProblem(id: Json | undefined): Problem | null {
  const field = 'properties.distinct_id';
  if (id === undefined) return null;
  if (typeof id !== 'string' && typeof id !== 'number') return problem(field, 'must be a string');
  return forbiddenIds.has(String(id).toLowerCase()) ? problem(field, `'${id}' is not allowed`) : null;
}

function nestingProblem(properties: Record<string, Json>): Problem | null {
  for (const [name, value] of Object.entries(properties)) {
    const reason = nestingReason(value, 1);
    if (reason) return problem(`properties.${name}`, reason);
  }
  return null;
}

function nestingReason(value: Json, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const values = Object.values(value);
  if (values.length >= propertyLimit)
    return `must have fewer than ${propertyLimit} ${Array.isArray(value) ? 'elements' : 'keys'}`;
  if (depth > depthLimit) return `must not be nested deeper than ${depthLimit}`;
  return values.map((inner) => nestingReason(inner, depth + 1)).find((reason) => reason !== null) ?? null;
}

function truncateTexts(properties: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, textLimit) : value]),
  );
}

/** Without `ip` the sender's own address is looked up; 0 prevents that; a given one is converted to a location. */
function geolocate(ip: Json | undefined): Record<string, Json> {
  return ip === 0 || ip === '0' ? {} : { $city: 'Nuremberg', $region: 'Bavaria', mp_country_code: 'DE' };
}

function isObject(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problem(field: string, message: string): Problem {
  return { field, message: `'${field}' is invalid: ${message}` };
}

function fail(insertId: string, field: string, message: string): Result {
  return { isValid: false, insertId, field, message };
}
