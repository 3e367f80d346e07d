import type { AdAccount, Row, Value } from '../kit/contract.js';
import { unifiedConstants } from '../kit/unified.js';
import { listActions, purchasesOf, type ActionCount } from './actions.js';
import { toMicros, toWhole } from './amounts.js';
import { corrupt } from './errors.js';
import type { Report, ReportColumn } from './streams.js';

export type InsightsRow = Record<string, unknown>;

/** Metrics that the verification needs in every request. */
const proofFields = ['impressions', 'clicks', 'spend'];

/** The fields to request, in Meta's spelling. Meta returns breakdowns and the day without a request. */
export function fieldsOf({ columns, stream, isByAction }: Report): string[] {
  const fields = columns.flatMap(({ source }) => {
    if ('text' in source) return source.text === 'date_start' || stream.breakdowns.includes(source.text) ? [] : [source.text];
    if ('whole' in source) return [source.whole];
    if ('money' in source) return [source.money];
    return 'purchases' in source ? ['actions', 'action_values'] : [];
  });
  return [...new Set([...fields, ...(isByAction ? ['actions', 'action_values'] : []), ...proofFields])];
}

/** Validates every value of one of Meta's rows. A row with several actions becomes several rows. */
export function toRows(report: Report, row: InsightsRow, account: AdAccount, windows: string[]): Row[] {
  const actions = report.isByAction ? listActions(row, windows) : [null];
  const unified = unifiedConstants({ account, stream: report.stream });
  return actions.map((action) =>
    Object.fromEntries(
      report.columns.map((column): [string, Value] => [column.name, valueOf(column, row, account, action, unified)]),
    ),
  );
}

function valueOf(
  { source }: ReportColumn,
  row: InsightsRow,
  account: AdAccount,
  action: ActionCount | null,
  unified: Record<string, string>,
): Value {
  if ('account' in source) return account[source.account];
  if ('unified' in source) return unified[source.unified] ?? null;
  if ('text' in source) return readText(row, source.text, source.otherwise);
  if ('money' in source) return readMoney(row, source.money);
  if ('purchases' in source) {
    const { count, valueMicros } = purchasesOf(row);
    return { count, value: valueMicros, amount: Number(valueMicros) / 1_000_000 }[source.purchases];
  }
  if ('action' in source) return action && ofAction(action)[source.action];
  return row[source.whole] === undefined && source.isNullable ? null : readWhole(row, source.whole);
}

function ofAction({ type, window, count, valueMicros }: ActionCount): Record<'type' | 'window' | 'count' | 'value', Value> {
  return { type, window, count, value: valueMicros };
}

/** Key columns are required. */
export function readText(row: InsightsRow, field: string, otherwise?: string): string {
  const value = row[field] ?? otherwise;
  if (typeof value !== 'string') throw unexpected(row, field);
  return value;
}

export function readWhole(row: InsightsRow, field: string): bigint {
  const value = row[field] ?? '0';
  const whole = typeof value === 'string' ? toWhole(value) : undefined;
  if (whole === undefined) throw unexpected(row, field);
  return whole;
}

export function readMoney(row: InsightsRow, field: string): bigint {
  const value = row[field] ?? '0';
  const micros = typeof value === 'string' ? toMicros(value) : undefined;
  if (micros === undefined) throw unexpected(row, field);
  return micros;
}

function unexpected(row: InsightsRow, field: string) {
  const found = row[field] === undefined ? 'nothing' : JSON.stringify(row[field]).slice(0, 60);
  return corrupt('unexpected_value', `Meta sent an unexpected value at ${field}: found ${found}.`);
}
