import type { SourceRecord } from '../conversion-source.js';
import { FixSettings } from '../errors.js';
import { quoteText } from '../quote-text.js';

/** Limits of one read. They protect the server that is read, its bill, and the worker. */
export interface ReadLimits {
  rows: number;
  bytes: number;
  /** Time that the server needs. The time in which a page is stored does not count. */
  milliseconds: number;
}

/**
 * A conversion with a million events a day is far above what ad platforms accept from one account. A gigabyte is a kilobyte for each
 * of them. Ten minutes is also the time limit of a BigQuery job of a run.
 */
export const usualReadLimits: ReadLimits = { rows: 1_000_000, bytes: 1024 ** 3, milliseconds: 10 * 60_000 };

/** Counts what a query returns, and stops the read at a limit. */
export class ReadMeter {
  private readonly provider: string;
  private readonly limits: ReadLimits;
  private rows = 0;
  private bytes = 0;
  private spentMs = 0;

  constructor(provider: string, limits: ReadLimits) {
    this.provider = provider;
    this.limits = limits;
  }

  /** Waits for the server. The time limit is checked afterwards: each request has its own. */
  async time<Result>(work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await work();
    this.spentMs += performance.now() - startedAt;
    if (this.spentMs > this.limits.milliseconds) throw tooSlow(this.provider, this.limits.milliseconds);
    return result;
  }

  add(rows: number, bytes: number): void {
    this.rows += rows;
    this.bytes += bytes;
    if (this.rows > this.limits.rows) throw tooManyRows(this.provider, this.limits.rows);
    if (this.bytes > this.limits.bytes) throw tooManyBytes(this.provider, this.limits.bytes);
  }
}

export const tooManyRows = (provider: string, limit: number): FixSettings =>
  new FixSettings({
    code: `${provider}.query_too_many_rows`,
    message: `The query returns more than the limit of ${limit.toLocaleString('en-US')} rows for one read.`,
    action: 'Select fewer rows in the query, or set a time field so that only new rows are read',
  });

export const tooManyBytes = (provider: string, limit: number): FixSettings =>
  new FixSettings({
    code: `${provider}.query_too_many_bytes`,
    message: `The query returns more than the limit of ${sizeText(limit)} for one read.`,
    action: 'Select fewer columns in the query, or set a time field so that only new rows are read',
  });

export const tooSlow = (provider: string, milliseconds: number): FixSettings =>
  new FixSettings({
    code: `${provider}.query_too_slow`,
    message: `The query took longer than the limit of ${durationText(milliseconds)}.`,
    action: 'Make the query faster, for example with an index on its time field',
  });

export const missingTimeField = (provider: string, timeField: string): FixSettings =>
  new FixSettings({
    code: `${provider}.query_time_field`,
    message: `The query returns no column ${quoteText(timeField)} of a date or timestamp type.`,
    action: 'Choose another time field, or convert the column to a timestamp in the query',
  });

/** Records are addressed by the names of their fields. */
export function assertDistinctNames(provider: string, names: string[]): void {
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice === undefined) return;
  throw new FixSettings({
    code: `${provider}.query_duplicate_column`,
    message: `The query returns two columns with the name ${quoteText(twice)}.`,
    action: 'Give each column its own name with AS',
  });
}

/** The newest records of a list that has one more than requested. */
export function toSample(records: SourceRecord[], fields: string[], limit: number) {
  return { records: records.slice(0, limit), fields, hasMore: records.length > limit };
}

function sizeText(bytes: number): string {
  return bytes >= 1024 ** 2
    ? `${Math.round(bytes / 1024 ** 2).toLocaleString('en-US')} MiB`
    : `${bytes.toLocaleString('en-US')} bytes`;
}

function durationText(milliseconds: number): string {
  return milliseconds >= 60_000 ? `${Math.round(milliseconds / 60_000)} minutes` : `${milliseconds / 1_000} seconds`;
}
