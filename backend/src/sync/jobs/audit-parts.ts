import type { Day, TableContent } from '../../connectors/kit/contract.js';
import { addDays, chunkDays } from '../../connectors/kit/days.js';
import type { AuditDifference } from '../api/destination-audits.dto.js';
import { type AuditedTable, compareTable, type LoadedDay, type TableComparison } from './compare-table.js';

/**
 * Account-days that an audit compares at once. The sums of one account-day take about 5 kB in memory (38 columns), and a worker runs
 * two audits at a time.
 */
const ACCOUNT_DAYS_AT_ONCE = 8_000;

export interface AuditRange {
  accountIds: string[];
  from: Day;
  to: Day;
}

/** Parts of a range, oldest first. All accounts together, because BigQuery partitions tables by day and bills what a query scans. */
function* auditParts({ accountIds, from, to }: AuditRange): Generator<AuditRange> {
  const days = Math.max(1, Math.floor(ACCOUNT_DAYS_AT_ONCE / accountIds.length));
  for (const chunk of chunkDays(from, to, days)) yield { accountIds, ...chunk };
}

interface PartReader {
  read: (part: AuditRange) => Promise<TableContent>;
  listLoaded: (part: AuditRange) => Promise<LoadedDay[]>;
  signal: AbortSignal;
}

export interface PartsComparison extends TableComparison {
  /** Compared account-days. */
  days: number;
}

export async function compareInParts(
  table: AuditedTable,
  range: AuditRange,
  { read, listLoaded, signal }: PartReader,
): Promise<PartsComparison> {
  const differences = new Differences();
  const total = { days: 0, rows: 0n, daysBySums: 0 };
  for (const part of auditParts(range)) {
    signal.throwIfAborted();
    const days = await listLoaded(part);
    if (days.length === 0) continue;
    const found = compareTable(table, days, await read(part));
    differences.add(found.differences);
    total.days += days.length;
    total.rows += found.rows;
    total.daysBySums += found.daysBySums;
  }
  return { ...total, differences: differences.list() };
}

/** Ranges of differing days of one table. A range that continues in the next part stays one range. */
class Differences {
  private readonly ranges: AuditDifference[] = [];
  private readonly newest = new Map<string, AuditDifference>();

  add(found: AuditDifference[]): void {
    for (const range of found) {
      const before = this.newest.get(range.accountId);
      if (before && addDays(before.to, 1) === range.from) extend(before, range);
      else {
        this.ranges.push(range);
        this.newest.set(range.accountId, range);
      }
    }
  }

  list(): AuditDifference[] {
    return this.ranges.toSorted(
      (left, right) => left.accountId.localeCompare(right.accountId) || left.from.localeCompare(right.from),
    );
  }
}

function extend(range: AuditDifference, next: AuditDifference): void {
  range.to = next.to;
  range.days += next.days;
  range.rowsMissing += next.rowsMissing;
  range.rowsExtra += next.rowsExtra;
  range.costMissingMicros = String(BigInt(range.costMissingMicros) + BigInt(next.costMissingMicros));
  range.costExtraMicros = String(BigInt(range.costExtraMicros) + BigInt(next.costExtraMicros));
}
