import { effectiveStatuses } from './campaigns.ts';
import type { InsightsQuery, Level } from './insights-query.ts';
import { metric, windows } from './numbers.ts';
import { readRows, type ReadContext, type Row } from './report.ts';
import { actionCounts, actionValues, defaultCount } from './row-json.ts';

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

export interface StreamTotals {
  rows: number;
  costMicros: string;
  clicks: number;
  impressions: number;
}

/** Counts with the API's own reader, without faults. */
export function streamTotals(context: ReadContext, fromDay: number, toDay: number): Record<string, StreamTotals> {
  return Object.fromEntries(Object.entries(streams).map(([name, report]) => [name, totalsOf(report, context, fromDay, toDay)]));
}

function totalsOf(
  { level, breakdowns = [], isByAction = false }: Report,
  context: ReadContext,
  fromDay: number,
  toDay: number,
): StreamTotals {
  // With every status, as the product requests.
  const filters = level === 'account' ? [] : [{ field: `${level}.effective_status`, values: [...effectiveStatuses[level]] }];
  const query: InsightsQuery = { level, fields: [], fromDay, toDay, increment: 1, breakdowns, windows: [], filters };
  const totals = { rows: 0, spend: 0, clicks: 0, impressions: 0 };
  for (const row of readRows(query, context)) {
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
