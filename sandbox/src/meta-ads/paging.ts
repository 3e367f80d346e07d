import type { Exchange } from '../router.ts';
import { badParameter } from './errors.ts';
import type { Damage } from './faults.ts';

export interface PageOf<Item> {
  data: Item[];
  paging?: { cursors: { before: string; after: string }; next?: string };
}

export const undamaged: Damage = { cut: null, missingRows: 0, isLast: false, isRepeated: false, limit: Number.POSITIVE_INFINITY };

const defaultLimit = 25;

/**
 * One page of a list. `next` is an absolute address with the token, as at Meta, with this server instead of graph.facebook.com.
 * The last page also has a cursor `after`, but no `next`. An empty list has no paging.
 */
export function pageOf<Item>(
  exchange: Exchange,
  items: Item[],
  parameters: URLSearchParams,
  token: string,
  damage = undamaged,
): PageOf<Item> {
  const { offset, isAgain } = readCursor(parameters.get('after'));
  const limit = Math.min(readLimit(parameters.get('limit')), damage.limit);
  const end = Math.min(items.length, offset + limit);
  const isLast = end >= items.length;
  const kept =
    isLast && damage.missingRows > 0 ? Math.max(Math.min(1, end - offset), end - offset - damage.missingRows) : end - offset;
  const data = items.slice(offset, offset + kept);
  if (items.length === 0) return { data };
  // A repeated page continues the second time, so that clients do not loop endlessly.
  const isRepeated = damage.isRepeated && !isAgain;
  const cursors = { before: cursor(offset, false), after: isRepeated ? cursor(offset, true) : cursor(end, false) };
  const hasNext = (!isLast || isRepeated) && !damage.isLast;
  return { data, paging: { cursors, ...(hasNext && { next: nextAddress(exchange, parameters, token, cursors.after) }) } };
}

function nextAddress({ request, url }: Exchange, parameters: URLSearchParams, token: string, after: string): string {
  const next = new URL(url.pathname, `http://${request.headers.host ?? 'sandbox'}`);
  next.searchParams.set('access_token', token);
  for (const [name, value] of parameters) if (name !== 'access_token') next.searchParams.set(name, value);
  next.searchParams.set('after', after);
  return next.href;
}

export function readLimit(text: string | null): number {
  const limit = text === null ? defaultLimit : Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw badParameter('Param limit must be a positive integer');
  return limit;
}

function cursor(offset: number, isAgain: boolean): string {
  return Buffer.from(`${offset}${isAgain ? 'R' : ''}`).toString('base64url') + 'ZD';
}

function readCursor(text: string | null): { offset: number; isAgain: boolean } {
  if (text === null || text === '') return { offset: 0, isAgain: false };
  const match = /^(\d+)(R?)$/.exec(Buffer.from(text.replace(/ZD$/, ''), 'base64url').toString());
  if (!match || !text.endsWith('ZD')) throw badParameter('Invalid cursors values', { subcode: 33 });
  return { offset: Number(match[1]), isAgain: match[2] === 'R' };
}
