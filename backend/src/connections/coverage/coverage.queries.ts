import { Injectable } from '@nestjs/common';
import { addDays, dayInTimeZone, listDays } from '../../connectors/kit/days.js';
import { readAfterEnd } from '../../read-models/index.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { Problem } from '../../core/http/problem.js';
import { Connectors } from '../../catalog/index.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { ConnectionEntry } from '../connections.dto.js';
import type { Completeness, CoverageAccount, CoverageAnswer, CoverageDayEntry, CoverageQuery } from './coverage.dto.js';
import { plural } from '../../connectors/kit/plural.js';

// SQL: reports over up to a million days, grouped by day.

const DEFAULT_DAYS = 42;
const LOADED = new Set<CoverageDayEntry['state']>(['provisional', 'final', 'empty_confirmed', 'restated']);

interface CoverageRow extends Omit<CoverageDayEntry, 'lastChangedAt' | 'lastReadAt' | 'isComplete'> {
  accountId: string;
  lastVerifiedAt: Date | null;
  lastChangedAt: Date | null;
}

/** Queries of the loaded days. */
@Injectable()
export class CoverageQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
  ) {}

  async getCoverage(organizationId: string, connection: ConnectionEntry, query: CoverageQuery): Promise<CoverageAnswer> {
    const stream = query.stream ?? connection.streams.find(({ isSelected }) => isSelected)?.name ?? '';
    const { from, to } = rangeOf(query);
    assertFewCells(connection.source.accounts.length, from, to);
    const rows = await this.tenants.query<CoverageRow>(
      organizationId,
      `select account_id as "accountId", day as date, state, rows::float8, cost_micros::text as "costMicros", revisions,
              last_changed_at as "lastChangedAt", last_verified_at as "lastVerifiedAt", run_id as "runId"
         from coverage
        where organization_id = $1 and connection_id = $2 and stream = $3 and day between $4 and $5`,
      [connection.id, stream, from, to],
    );
    const byAccountDay = new Map(rows.map((row) => [`${row.accountId}/${row.date}`, row]));
    const now = new Date();
    const start = this.startOf(connection);
    const accounts = connection.source.accounts.map((account): CoverageAccount => {
      const last = dayInTimeZone(now, account.timeZone);
      const ofAccount = (date: string) => byAccountDay.get(`${account.externalId}/${date}`);
      // Days before the history are shown if a backfill has loaded them, and days that the platform no longer has if they are loaded.
      const isShown = (date: string) => date >= start || isStored(ofAccount(date), date >= connection.historyFrom);
      const days = listDays(from, to < last ? to : last)
        .filter(isShown)
        .map((date) => toDay(date, ofAccount(date), account.timeZone));
      const ofHistory = days.filter(({ date }) => date >= start);
      return { account, completeThrough: completeThrough(ofHistory), days };
    });
    return { stream, from, to, accounts, summary: summarize(accounts) };
  }

  /** The first day of the history that can be loaded. */
  private startOf({ historyFrom, source }: ConnectionEntry): string {
    const first = this.connectors.firstAvailableDay(source.provider);
    return first !== null && first > historyFrom ? first : historyFrom;
  }

  /**
   * Counts every account-day from the first day of history that the platform still has to today in each account's time zone. A past
   * day counts if it was read after it ended. Today counts if it was read.
   */
  async getCompleteness(organizationId: string, connection: ConnectionEntry): Promise<Completeness> {
    const now = new Date();
    const streams = connection.streams.filter(({ isSelected }) => isSelected).map(({ name }) => name);
    const { accounts } = connection.source;
    const start = this.startOf(connection);
    const expected = accounts.reduce(
      (sum, account) => sum + listDays(start, dayInTimeZone(now, account.timeZone)).length * streams.length,
      0,
    );
    const [row] = await this.tenants.query<{ loaded: number }>(
      organizationId,
      `select count(*)::int as loaded
         from coverage v join unnest($4::text[], $6::text[]) as zone(account_id, name) on zone.account_id = v.account_id
        where v.organization_id = $1 and v.connection_id = $2 and v.stream = any($3) and v.day >= $5
          and v.state not in ('missing', 'loading', 'failed')
          and (${readAfterEnd('v', 'zone.name')} or v.day = ($7::timestamptz at time zone zone.name)::date)`,
      [
        connection.id,
        streams,
        accounts.map(({ externalId }) => externalId),
        start,
        accounts.map(({ timeZone }) => timeZone),
        now,
      ],
    );
    const loaded = row?.loaded ?? 0;
    const missing = Math.max(0, expected - loaded);
    return {
      isComplete: missing === 0,
      completeThrough: connection.completeThrough,
      expected,
      loaded,
      missing,
      asOf: now.toISOString(),
    };
  }
}

/** @param isGone the platform no longer has the day, so it cannot be repaired */
const isStored = (row: CoverageRow | undefined, isGone: boolean): boolean =>
  row !== undefined && (!isGone || LOADED.has(row.state));

export function rangeOf(query: { from?: string; to?: string }): { from: string; to: string } {
  // Tomorrow in UTC is today in the easternmost time zones.
  const to = query.to ?? addDays(new Date().toISOString().slice(0, 10), 1);
  const from = query.from ?? addDays(to, 1 - DEFAULT_DAYS);
  if (from > to || addDays(from, LIST_LIMITS.coverageDays) < to) {
    const message = `from must be at most ${LIST_LIMITS.coverageDays} days before to`;
    throw new Problem('request.invalid', { detail: message, errors: [{ field: 'from', message }] });
  }
  return { from, to };
}

/** Every account has an entry for every day of the range. */
function assertFewCells(accounts: number, from: string, to: string): void {
  const mostDays = Math.floor(LIST_LIMITS.coverageCells / Math.max(1, accounts));
  if (addDays(from, mostDays) > to) return;
  const message = `from must be less than ${mostDays} days before to: the connection has ${plural(accounts, 'account')}`;
  const action = `Request at most ${mostDays} days at a time`;
  throw new Problem('request.invalid', { detail: message, action, errors: [{ field: 'from', message }] });
}

/** The last day before the first incomplete one. Today is never complete. */
function completeThrough(days: CoverageDayEntry[]): string | null {
  const firstGap = days.findIndex((day) => !day.isComplete);
  return (firstGap === -1 ? days : days.slice(0, firstGap)).at(-1)?.date ?? null;
}

const toDay = (date: string, row: CoverageRow | undefined, timeZone: string): CoverageDayEntry => ({
  date,
  state: row?.state ?? 'missing',
  isComplete:
    row !== undefined &&
    LOADED.has(row.state) &&
    row.lastVerifiedAt !== null &&
    dayInTimeZone(row.lastVerifiedAt, timeZone) > date,
  rows: row?.rows ?? 0,
  costMicros: row?.costMicros ?? '0',
  revisions: row?.revisions ?? 0,
  lastChangedAt: row?.lastChangedAt?.toISOString() ?? null,
  lastReadAt: row?.lastVerifiedAt?.toISOString() ?? null,
  runId: row?.runId ?? null,
});

function summarize(accounts: CoverageAccount[]): CoverageAnswer['summary'] {
  const days = accounts.flatMap((account) => account.days);
  const loaded = days.filter((day) => LOADED.has(day.state)).length;
  const loading = days.filter((day) => day.state === 'loading').length;
  return { expected: days.length, loaded, loading, toRepair: days.length - loaded - loading };
}
