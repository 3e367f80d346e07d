import { reports } from '../../src/connectors/google-ads/streams.js';
import type { AdAccount, Day, DayTotals, Page, Row, Slice, Stream, Value } from '../../src/connectors/kit/contract.js';
import { cellsOf, readLines } from '../../src/connectors/kit/rows/row-text.js';
import { addSums, emptySums } from '../../src/connectors/kit/totals/sums.js';

export const anAccount: AdAccount = {
  externalId: '9001000011',
  name: 'Northwind DE',
  currency: 'EUR',
  timeZone: 'Europe/Berlin',
  managerId: null,
  managerName: null,
  status: 'enabled',
};

export const campaignDaily = reports[0]?.stream as Stream;

export function aSlice(overrides: Partial<Slice> = {}): Slice {
  return { stream: campaignDaily, account: anAccount, from: '2026-01-01', to: '2026-01-03', ...overrides };
}

/** One row per campaign number, of one day. */
export function aRow(overrides: Row = {}): Row {
  return {
    date: '2026-01-01',
    account_id: anAccount.externalId,
    account_name: anAccount.name,
    currency: 'EUR',
    campaign_id: 1n,
    campaign_name: 'Brand',
    campaign_status: 'ENABLED',
    channel_type: 'SEARCH',
    device: 'MOBILE',
    network: 'SEARCH',
    impressions: 100n,
    clicks: 10n,
    cost_micros: 1_230_000n,
    conversions: 1.5,
    conversions_value: 0.1,
    all_conversions: 2,
    view_through_conversions: 0n,
    ...overrides,
  };
}

export function toPage(rows: Row[], stream = campaignDaily): Page {
  const lines = rows.map((row) => `${cellsOf(stream, row).join('\t')}\n`).join('');
  return { lines: Buffer.from(lines), rowCount: rows.length, days: sumRowsByDay(rows) };
}

export async function* pagesOf(rows: Row[], stream = campaignDaily): AsyncGenerator<Page> {
  yield toPage(rows, stream);
}

/** The rows of a page as values. */
export function readRows(stream: Stream, page: Pick<Page, 'lines'>): Row[] {
  return readLines(page.lines).map((cells) =>
    Object.fromEntries(stream.columns.map(({ name, type }, index) => [name, toValue(type, cells[index] ?? null)])),
  );
}

function toValue(type: string, cell: string | null): Value {
  if (cell === null || type === 'text' || type === 'date') return cell;
  return type === 'bigint' ? BigInt(cell) : Number(cell);
}

/** Sums per day, oldest day first. */
export function sumRowsByDay(rows: Row[]): DayTotals[] {
  const byDay = new Map<Day, DayTotals>();
  for (const row of rows) {
    const day = String(row['date']);
    const sums = {
      rows: 1,
      costMicros: whole(row['cost_micros']),
      clicks: whole(row['clicks']),
      impressions: whole(row['impressions']),
    };
    byDay.set(day, { day, ...addSums(byDay.get(day) ?? emptySums(), sums) });
  }
  return [...byDay.values()].sort((left, right) => (left.day < right.day ? -1 : 1));
}

const whole = (value: Value | undefined): bigint => (typeof value === 'bigint' ? value : 0n);
