import { badParameter } from '../errors.ts';
import { tooManyEvents, type Reject } from './rejections.ts';

export type Json = Record<string, unknown>;

/** An event that Meta accepts. */
export interface ServerEvent {
  name: string;
  /** Without it, the event is never compared with a browser event. */
  id: string | null;
  /** Seconds since 1970. */
  time: number;
  actionSource: string;
  userData: Json;
  customData: Json;
}

const eventLimit = 1_000;
const daySeconds = 86_400;
const oldestDays = 7;
const oldestDaysInStores = 62;

const actionSources = [
  'email',
  'website',
  'app',
  'phone_call',
  'chat',
  'physical_store',
  'system_generated',
  'business_messaging',
  'other',
];
const hashedParameters = ['em', 'ph', 'fn', 'ln', 'ge', 'db', 'ct', 'st', 'zp', 'country'];
/** Data that consists only of parts of one of these sets matches too many people. */
const thinSets = [
  ['ct', 'country', 'st', 'zp', 'ge', 'client_user_agent'],
  ['db', 'client_user_agent'],
  ['fn', 'ge'],
  ['ln', 'ge'],
];

/** The events of a request. The first invalid one rejects all of them. */
export function readEvents(list: unknown[], nowSeconds: number, reject: Reject): ServerEvent[] {
  if (list.length > eventLimit) throw tooManyEvents(eventLimit);
  return list.map((event) => readEvent(event, nowSeconds, reject));
}

/** The parameter `data`: a list, as JSON in a JSON body and as text in a form. */
export function readData(text: string | null): unknown[] {
  if (text === null) throw badParameter('The parameter data is required');
  try {
    const data: unknown = JSON.parse(text);
    if (Array.isArray(data) && data.length > 0) return data;
  } catch {
    // Falls through to the rejection below.
  }
  throw badParameter('Param data must be a non-empty array');
}

function readEvent(event: unknown, nowSeconds: number, reject: Reject): ServerEvent {
  if (!isJson(event)) throw badParameter('Param data[] must be an object');
  const name = requireText(event, 'event_name', reject);
  const time = readTime(event, reject);
  const actionSource = requireText(event, 'action_source', reject);
  if (!actionSources.includes(actionSource))
    throw badParameter(`Param action_source must be one of {${actionSources.join(', ')}}`);
  if (!isJson(event.user_data)) throw reject({ is: 'missing', parameter: 'user_data' });
  // Meta reports the age before thin user data: an old event with only a user agent is 2804003.
  const oldest = actionSource === 'physical_store' ? oldestDaysInStores : oldestDays;
  if (time < nowSeconds - oldest * daySeconds) throw reject({ is: 'too old' });
  const unhashed = hashedParameters.find((parameter) => !valuesOf(event.user_data as Json, parameter).every(isHash));
  if (unhashed !== undefined) throw reject({ is: 'not hashed', parameter: unhashed });
  if (isThin(event.user_data)) throw reject({ is: 'too thin' });
  const customData = isJson(event.custom_data) ? event.custom_data : {};
  if (name === 'Purchase') requirePrice(customData, reject);
  return {
    name,
    id: typeof event.event_id === 'string' && event.event_id !== '' ? event.event_id : null,
    time,
    actionSource,
    userData: event.user_data,
    customData,
  };
}

function requireText(event: Json, parameter: string, reject: Reject): string {
  const value = event[parameter];
  if (typeof value !== 'string' || value === '') throw reject({ is: 'missing', parameter });
  return value;
}

/** No limit is documented for times in the future. */
function readTime(event: Json, reject: Reject): number {
  const time = Number(event.event_time ?? Number.NaN);
  if (event.event_time == null || event.event_time === '') throw reject({ is: 'missing', parameter: 'event_time' });
  if (!Number.isInteger(time)) throw badParameter('Param event_time must be an integer');
  return time;
}

function requirePrice({ value, currency }: Json, reject: Reject): void {
  const amount = typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN;
  if (!Number.isFinite(amount)) throw reject({ is: 'missing', parameter: 'value' });
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency)) throw reject({ is: 'missing', parameter: 'currency' });
}

function isThin(userData: Json): boolean {
  const present = Object.keys(userData).filter((parameter) => valuesOf(userData, parameter).length > 0);
  return thinSets.some((set) => present.every((parameter) => set.includes(parameter)));
}

/**
 * Whether Meta can find the person: by a SHA-256 in lower case, or by one of its own ids. Hashes of 32 digits (MD5) are accepted
 * like all others and never match.
 */
export function canMatch(userData: Json): boolean {
  const isHashed = ['em', 'ph', 'external_id'].some((parameter) => valuesOf(userData, parameter).some(isSha256));
  const isKnown = ['subscription_id', 'lead_id', 'ctwa_clid', 'madid'].some(
    (parameter) => valuesOf(userData, parameter).length > 0,
  );
  const isBrowser = ['fbc', 'fbp'].some((parameter) => valuesOf(userData, parameter).some(isBrowserId));
  const isDevice = ['client_ip_address', 'client_user_agent'].every((parameter) => valuesOf(userData, parameter).length > 0);
  return isHashed || isKnown || isBrowser || isDevice;
}

function valuesOf(userData: Json, parameter: string): unknown[] {
  const value = userData[parameter];
  if (value === undefined || value === null || value === '') return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^(?:[\da-f]{32}|[\da-f]{64})$/i.test(value);
}

function isSha256(value: unknown): boolean {
  return typeof value === 'string' && /^[\da-f]{64}$/.test(value);
}

/** `fb.1.<milliseconds>.<id>`, with a suffix if Meta's own helper wrote it. */
function isBrowserId(value: unknown): boolean {
  return typeof value === 'string' && /^fb\.\d\.\d+\..+$/.test(value);
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
