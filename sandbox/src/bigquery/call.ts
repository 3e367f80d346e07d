import type { Occasion } from '../faults.ts';
import type { Exchange } from '../router.ts';
import { BigQueryError, invalid } from './errors.ts';
import type { BigQueryFaults } from './faults.ts';
import type { Jobs } from './jobs.ts';
import type { Principal } from './principals.ts';
import type { Store } from './store.ts';

/** State shared by all calls to the BigQuery of one sandbox. */
export interface BigQuery {
  store: Store;
  faults: BigQueryFaults;
  jobs: Jobs;
}

/** One authenticated call. */
export interface Call extends Exchange {
  principal: Principal;
  occasion: Occasion;
  baseUrl: string;
}

export function readBody(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through to the rejection below.
  }
  throw new BigQueryError(400, 'parseError', 'Invalid JSON payload received.');
}

export function objectOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new BigQueryError(400, 'required', `Required parameter is missing: ${name}`);
}

export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new BigQueryError(400, 'required', `Required parameter is missing: ${name}`);
}

/** Accepts numbers and, as all 64-bit values, text. */
export function numberOr<Otherwise>(value: unknown, otherwise: Otherwise, name: string): number | Otherwise {
  if (value === undefined || value === null || value === '') return otherwise;
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0)
    throw invalid(`Invalid value for ${name}: ${String(value)} is not a valid value`);
  return number;
}

/** One page of a list: `maxResults`, `pageToken`, `nextPageToken`. */
export function pageOf<Item>(
  items: Item[],
  parameters: URLSearchParams,
  most = 1_000,
): { items: Item[]; nextPageToken?: string } {
  const start = readPageToken(parameters.get('pageToken'));
  const count = Math.min(numberOr(parameters.get('maxResults'), most, 'maxResults'), most);
  const end = start + count;
  return { items: items.slice(start, end), ...(end < items.length && { nextPageToken: pageToken(end) }) };
}

export function pageToken(start: number): string {
  return Buffer.from(`start:${start}`).toString('base64url');
}

export function readPageToken(token: unknown): number {
  if (token === undefined || token === null || token === '') return 0;
  const start = /^start:(\d+)$/.exec(Buffer.from(String(token), 'base64url').toString('utf8'))?.[1];
  if (start === undefined) throw invalid('Invalid value for pageToken');
  return Number(start);
}

/** 412 if the resource changed since the caller read it. */
export function proveEtag({ request }: Exchange, etag: string): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted === '*' || wanted === etag) return;
  throw new BigQueryError(412, 'conditionNotMet', 'Precondition check failed.', {
    location: { location: 'If-Match', locationType: 'header' },
  });
}

export function etagOf(createdAtMs: number, version: number): string {
  return Buffer.from(`${createdAtMs}.${version}`).toString('base64');
}
