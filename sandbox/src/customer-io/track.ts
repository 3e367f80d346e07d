import type { Message } from './messages.ts';

/** An error in the format of the Track API: `{"meta": {"error": …}}`. */
export class TrackError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Incoming = Omit<Message, 'at' | 'isDuplicate'>;

export const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const bodyLimitBytes = 32 * 1_024;
const idLimitBytes = 150;

export function readIdentify(customerId: string, body: string): Incoming {
  const { timestamp, ...attributes } = readObject(body);
  for (const name of ['created_at', 'timestamp'] as const)
    refuseMilliseconds(name, name === 'timestamp' ? timestamp : attributes[name]);
  return { kind: 'identify', customerId: checkId(customerId), data: attributes };
}

export function readEvent(customerId: string | null, body: string): Incoming {
  const { name, data = {}, id, timestamp, anonymous_id: anonymousId } = readObject(body);
  if (typeof name !== 'string' || name === '') throw new TrackError(400, 'name is required');
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new TrackError(400, 'data must be an object');
  if (id !== undefined && (typeof id !== 'string' || !ulid.test(id))) throw new TrackError(400, 'id must be a valid ULID');
  refuseMilliseconds('timestamp', timestamp);
  return {
    kind: customerId === null ? 'anonymous_event' : 'event',
    customerId: customerId === null ? null : checkId(customerId),
    name,
    data: data as Record<string, unknown>,
    ...(typeof anonymousId === 'string' && { anonymousId }),
    ...(typeof id === 'string' && { id }),
    ...(typeof timestamp === 'number' && { timestamp }),
  };
}

export function checkId(id: string): string {
  if (id.trim() === '') throw new TrackError(400, 'id is required');
  if (Buffer.byteLength(id) > idLimitBytes) throw new TrackError(400, `id must be at most ${idLimitBytes} bytes`);
  return id;
}

/** Customer.io accepts a time in milliseconds as a date far in the future. The sandbox rejects it, because it is always a bug. */
function refuseMilliseconds(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 9_999_999_999)
    throw new TrackError(400, `${name} must be a Unix timestamp in seconds`);
}

function readObject(body: string): Record<string, unknown> {
  if (Buffer.byteLength(body) > bodyLimitBytes) throw new TrackError(400, `payload is larger than ${bodyLimitBytes} bytes`);
  try {
    const value: unknown = JSON.parse(body || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through to the rejection below.
  }
  throw new TrackError(400, 'malformed JSON');
}
