import { toMicros, toNumber } from './amounts.js';
import { corrupt } from './errors.js';

export interface ActionCount {
  type: string;
  window: string;
  count: number;
  valueMicros: bigint;
}

/** Action types for the same purchases, the widest first. They overlap, so only one is counted. */
const purchaseTypes = ['omni_purchase', 'purchase', 'offsite_conversion.fb_pixel_purchase'];

type Entry = Record<string, unknown> & { action_type: string };

/** The purchases of a row, in the attribution window of the ad set. */
export function purchasesOf(row: Record<string, unknown>): { count: number; valueMicros: bigint } {
  const find = (field: string): Entry | undefined => {
    const entries = entriesOf(row, field);
    return purchaseTypes.map((type) => entries.find((entry) => entry.action_type === type)).find((entry) => entry !== undefined);
  };
  return { count: countOf(find('actions'), 'value'), valueMicros: valueOf(find('action_values'), 'value') };
}

/** Counts per action and attribution window, where there are any. `value` is the ad set's own window. */
export function listActions(row: Record<string, unknown>, windows: string[]): ActionCount[] {
  const [counts, values] = [byType(row, 'actions'), byType(row, 'action_values')];
  const types = new Set([...counts.keys(), ...values.keys()]);
  const names: [window: string, property: string][] = [
    ['default', 'value'],
    ...windows.map((name): [string, string] => [name, name]),
  ];
  return [...types].flatMap((type) =>
    names.flatMap(([window, property]) => {
      const count = countOf(counts.get(type), property);
      const valueMicros = valueOf(values.get(type), property);
      return count === 0 && valueMicros === 0n ? [] : [{ type, window, count, valueMicros }];
    }),
  );
}

function byType(row: Record<string, unknown>, field: string): Map<string, Entry> {
  return new Map(entriesOf(row, field).map((entry) => [entry.action_type, entry]));
}

/** Meta omits empty fields. */
function entriesOf(row: Record<string, unknown>, field: string): Entry[] {
  const list = row[field] ?? [];
  if (!Array.isArray(list) || !list.every(isEntry)) throw unexpected(field);
  return list;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'action_type' in value && typeof value.action_type === 'string';
}

/** Meta omits windows without actions. */
function countOf(entry: Entry | undefined, property: string): number {
  const text = entry?.[property] ?? '0';
  const count = typeof text === 'string' ? toNumber(text) : undefined;
  if (count === undefined) throw unexpected(`actions.${property}`);
  return count;
}

function valueOf(entry: Entry | undefined, property: string): bigint {
  const text = entry?.[property] ?? '0';
  const value = typeof text === 'string' ? toMicros(text) : undefined;
  if (value === undefined) throw unexpected(`action_values.${property}`);
  return value;
}

function unexpected(place: string) {
  return corrupt('unexpected_value', `Meta sent an unexpected value at ${place}.`);
}
