import { effectiveStatuses } from './campaigns.ts';
import type { InsightsQuery, Level } from './insights-query.ts';
import { metric, windows } from './numbers.ts';
import { readRows, type ReadContext, type Row } from './report.ts';
import { actionCounts, actionValues, defaultCount } from './row-json.ts';
import { toDate } from '../clock.ts';
import type { StreamRow, StreamTotals } from '../stream-rows.ts';

interface Report {
  level: Level;
  breakdowns?: string[];
  /** Counts non-zero action types and windows instead of objects. */
  isByAction?: boolean;
}

/** The reports that the product reads. */
const streams: Record<string, Report> = {
  account_daily: { level: 'account' },
  campaign_daily: { level: 'campaign' },
  ad_set_daily: { level: 'adset' },
  ad_daily: { level: 'ad' },
  ad_age_gender_daily: { level: 'ad', breakdowns: ['age', 'gender'] },
  ad_country_daily: { level: 'ad', breakdowns: ['country'] },
  ad_placement_daily: { level: 'ad', breakdowns: ['publisher_platform', 'platform_position'] },
  campaign_actions_daily: { level: 'campaign', isByAction: true },
};

/** Counts with the API's own reader, without faults. */
export function streamTotals(context: ReadContext, fromDay: number, toDay: number): Record<string, StreamTotals> {
  return Object.fromEntries(Object.entries(streams).map(([name, report]) => [name, totalsOf(report, context, fromDay, toDay)]));
}

/** Streams with one row for each object and day. */
export const listedStreams = ['campaign_daily', 'ad_set_daily', 'ad_daily'];

export function streamRows(context: ReadContext, stream: string, fromDay: number, toDay: number): StreamRow[] {
  const { level } = streams[stream] as Report;
  return [...readRows(queryOf({ level }, fromDay, toDay), context)].map(({ ad, fromDay: day, numbers }) => ({
    date: toDate(day),
    key: level === 'ad' ? ad.id : level === 'adset' ? ad.adSet.id : ad.campaign.id,
    costMicros: String((numbers[metric.spend] ?? 0) * context.account.moneyUnitMicros),
    ...{ clicks: numbers[metric.clicks] ?? 0, impressions: numbers[metric.impressions] ?? 0 },
  }));
}

/** With every status, as the product requests. */
function queryOf({ level, breakdowns = [] }: Report, fromDay: number, toDay: number): InsightsQuery {
  const filters = level === 'account' ? [] : [{ field: `${level}.effective_status`, values: [...effectiveStatuses[level]] }];
  return { level, fields: [], fromDay, toDay, increment: 1, breakdowns, windows: [], filters };
}

function totalsOf(report: Report, context: ReadContext, fromDay: number, toDay: number): StreamTotals {
  const { isByAction = false } = report;
  const totals = { rows: 0, spend: 0, clicks: 0, impressions: 0 };
  for (const row of readRows(queryOf(report, fromDay, toDay), context)) {
    totals.rows += isByAction ? actionRows(row) : 1;
    totals.spend += row.numbers[metric.spend] ?? 0;
    totals.clicks += row.numbers[metric.clicks] ?? 0;
    totals.impressions += row.numbers[metric.impressions] ?? 0;
  }
  const { rows, spend, clicks, impressions } = totals;
  // Actions have no cost, clicks or impressions: those belong to the campaign.
  if (isByAction) return { rows, costMicros: '0', clicks: 0, impressions: 0 };
  return { rows, costMicros: String(spend * context.account.moneyUnitMicros), clicks, impressions };
}

/** Counts an action type once per window in which it is not zero, including the default window. */
function actionRows({ numbers }: Row): number {
  const values = new Map(actionValues(numbers));
  return actionCounts(numbers).reduce((rows, [type, counts]) => {
    const valued = values.get(type) ?? [];
    const filled = windows.filter((_, window) => counts[window] || valued[window]).length;
    return rows + filled + (defaultCount(counts) || defaultCount(valued) ? 1 : 0);
  }, 0);
}
