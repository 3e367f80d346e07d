import { hashContent } from '../../connectors/kit/totals/content.js';
import type { AccountDayTotals, AdAccount, Day, Stream, TableContent } from '../../connectors/kit/contract.js';
import { addDays } from '../../connectors/kit/days.js';
import { equalSums } from '../../connectors/kit/totals/sums.js';
import type { AuditDifference } from '../api/destination-audits.dto.js';

/** The loaded data of an account and a day, as the destination reported it at that time. */
export interface LoadedDay {
  stream: string;
  accountId: string;
  day: Day;
  rows: bigint;
  costMicros: bigint;
  clicks: bigint;
  impressions: bigint;
  /** Null if only the sums are known. */
  contentHash: string | null;
}

export interface AuditedTable {
  stream: Stream;
  table: string;
  accounts: AdAccount[];
}

export interface TableComparison {
  rows: bigint;
  daysBySums: number;
  differences: AuditDifference[];
}

type Found = Pick<AccountDayTotals, 'rows' | 'costMicros' | 'clicks' | 'impressions' | 'content'>;

const nothing: Found = { rows: 0, costMicros: 0n, clicks: 0n, impressions: 0n };

/** Compares the rows in a table with the rows loaded into it, day by day. */
export function compareTable(
  { stream, table, accounts }: AuditedTable,
  loaded: LoadedDay[],
  found: TableContent,
): TableComparison {
  const byKey = new Map(found.days.map((day) => [`${day.accountId}/${day.day}`, day]));
  const result: TableComparison = { rows: 0n, daysBySums: 0, differences: [] };
  for (const day of sorted(loaded)) {
    const actual = byKey.get(`${day.accountId}/${day.day}`) ?? nothing;
    result.rows += BigInt(actual.rows);
    if (day.contentHash === null && actual.rows > 0) result.daysBySums += 1;
    if (isEqual(stream, day, actual)) continue;
    addTo(result.differences, day, actual, {
      table,
      lostColumns: found.lostColumns,
      account: accounts.find(({ externalId }) => externalId === day.accountId),
    });
  }
  return result;
}

const sorted = (days: LoadedDay[]): LoadedDay[] =>
  days.toSorted((left, right) => left.accountId.localeCompare(right.accountId) || (left.day < right.day ? -1 : 1));

function isEqual(stream: Stream, loaded: LoadedDay, actual: Found): boolean {
  if (loaded.rows !== BigInt(actual.rows) || !equalSums(loaded, actual)) return false;
  return loaded.contentHash === null || loaded.contentHash === hashContent(stream, actual);
}

interface Place {
  table: string;
  lostColumns: string[];
  account: AdAccount | undefined;
}

/** Combines consecutive days into one entry. */
function addTo(differences: AuditDifference[], loaded: LoadedDay, actual: Found, place: Place): void {
  const last = differences.at(-1);
  const continued = last?.accountId === loaded.accountId && addDays(last.to, 1) === loaded.day;
  const entry = continued ? last : started(loaded, place);
  if (!continued) differences.push(entry);
  const rows = BigInt(actual.rows) - loaded.rows;
  const cost = actual.costMicros - loaded.costMicros;
  entry.to = loaded.day;
  entry.days += 1;
  entry.rowsMissing += Number(rows < 0n ? -rows : 0n);
  entry.rowsExtra += Number(rows > 0n ? rows : 0n);
  entry.costMissingMicros = String(BigInt(entry.costMissingMicros) + (cost < 0n ? -cost : 0n));
  entry.costExtraMicros = String(BigInt(entry.costExtraMicros) + (cost > 0n ? cost : 0n));
}

const started = ({ stream, accountId, day }: LoadedDay, { table, lostColumns, account }: Place): AuditDifference => ({
  stream,
  table,
  accountId,
  accountName: account?.name ?? accountId,
  currency: account?.currency ?? '',
  from: day,
  to: day,
  days: 0,
  rowsMissing: 0,
  rowsExtra: 0,
  costMissingMicros: '0',
  costExtraMicros: '0',
  lostColumns,
});
