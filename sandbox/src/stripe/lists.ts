import { missing } from './errors.ts';
import type { Fields } from './fields.ts';
import type { List } from './objects.ts';

export const listParameters = ['limit', 'starting_after', 'ending_before', 'created'];

/** One page of a list that is stored oldest first and returned newest first. */
export function listPage<T extends { id: string; created: number }>(fields: Fields, url: string, kept: T[]): List<T> {
  const limit = fields.integer('limit', 1, 100) ?? 10;
  const all = kept.filter((item) => isWithin(fields, item.created)).reverse();
  const after = fields.text('starting_after');
  const before = fields.text('ending_before');
  if (before !== undefined) {
    const end = positionOf(all, before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: all.slice(start, end), has_more: start > 0, url };
  }
  const start = after === undefined ? 0 : positionOf(all, after, 'starting_after') + 1;
  return { object: 'list', data: all.slice(start, start + limit), has_more: all.length > start + limit, url };
}

function positionOf<T extends { id: string }>(items: T[], id: string, param: string): number {
  const position = items.findIndex((item) => item.id === id);
  if (position < 0) throw missing('object', id, param);
  return position;
}

/** Whether `created` fits the parameter of the same name: an exact time or a range. */
export function isWithin(fields: Fields, created: number): boolean {
  if (!fields.has('created')) return true;
  if (isExact(fields)) return created === fields.integer('created');
  const range = fields.object('created');
  const gte = range?.integer('gte') ?? 0;
  const gt = range?.integer('gt') ?? -1;
  const lte = range?.integer('lte') ?? Number.MAX_SAFE_INTEGER;
  const lt = range?.integer('lt') ?? Number.MAX_SAFE_INTEGER;
  return created >= gte && created > gt && created <= lte && created < lt;
}

function isExact(fields: Fields): boolean {
  try {
    return /^\d+$/.test(fields.text('created') ?? '');
  } catch {
    return false;
  }
}
