import type { Day, SentRow } from '../kit/contract.js';
import { formatDecimal, parseDecimal } from './decimal.js';
import type { Amounts, Properties } from './rows.js';

/** What Mixpanel stores for a row after everything planned has arrived. */
export interface StoredRow {
  /** Revision of the last event. */
  revision: number;
  /** Whether the source still has the row. */
  isPresent: boolean;
  /** Time of its events; milliseconds since 1970. */
  time: number;
  /** Sum of all its events. */
  amounts: Amounts;
  /** The part of the sum in events other than the one that is resent. It remains from the other restatement mode. */
  offset: Amounts;
  /** Properties as last sent. Corrections are subtracted with these. */
  properties: Properties;
}

export interface MixpanelEvent {
  event: string;
  properties: Record<string, string | number | boolean>;
}

/** Stored until the events are confirmed. */
export interface Planned {
  events: MixpanelEvent[];
  /** The state to restore if Mixpanel rejects the events permanently. */
  before: SentRow['state'] | null;
}

/** Identifies a version of one of a row's events. */
export interface EventVersion {
  /** End of the event's id, after the hash of the row. */
  suffix: string;
  revision: number;
}

export function toState(target: string, held: StoredRow): SentRow['state'] {
  return {
    target,
    isPresent: held.isPresent,
    time: held.time,
    amounts: writeAmounts(held.amounts),
    offset: writeAmounts(held.offset),
    properties: JSON.stringify(held.properties),
  };
}

/** Null if the row was sent to another target. */
export function fromState(target: string, { revision, state }: SentRow): StoredRow | null {
  if (state['target'] !== target) return null;
  return {
    revision,
    isPresent: state['isPresent'] === true,
    time: Number(state['time']),
    amounts: readAmounts(state['amounts']),
    offset: readAmounts(state['offset']),
    properties: JSON.parse(String(state['properties'])) as Properties,
  };
}

export function plannedEventsOf({ planned }: SentRow): Planned | null {
  return planned as Planned | null;
}

export function plannedVersionsOf(row: SentRow): EventVersion[] {
  const events = plannedEventsOf(row)?.events ?? [];
  return events.map(({ properties }) => ({
    suffix: String(properties['$insert_id']).split('-')[1] ?? '',
    revision: Number(properties['revision']),
  }));
}

/**
 * Noon UTC is on the same calendar day nearly everywhere, from UTC-12 to UTC+11:59. The event therefore has the account's day in
 * the project's time zone.
 */
export function noonOf(day: Day): number {
  return Date.parse(`${day}T12:00:00Z`);
}

function writeAmounts(amounts: Amounts): string {
  return JSON.stringify(Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, formatDecimal(value)])));
}

function readAmounts(text: unknown): Amounts {
  const amounts = JSON.parse(typeof text === 'string' ? text : '{}') as Record<string, string>;
  return Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, parseDecimal(value)]));
}

export function subtract(left: Amounts, right: Amounts): Amounts {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...names].map((name) => [name, (left[name] ?? 0n) - (right[name] ?? 0n)]));
}

export function isNothing(amounts: Amounts): boolean {
  return Object.values(amounts).every((value) => value === 0n);
}
