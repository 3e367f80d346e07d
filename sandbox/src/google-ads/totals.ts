import { users, type Account, type User } from './accounts.ts';
import { addMetrics, metricCount, metricNames } from './numbers.ts';
import { planQuery } from './plan.ts';
import { readRows } from './report.ts';
import { contextOf } from './search.ts';
import type { GoogleAdsState } from './state.ts';
import { toDate } from '../clock.ts';
import { sumRows, type StreamRow, type StreamTotals } from '../stream-rows.ts';

const metrics = metricNames.join(', ');

/** The reports that the product reads, with its queries. */
export const streams = {
  ad_performance_daily: `SELECT campaign.id, segments.date, ${metrics} FROM campaign`,
  campaign_daily: `SELECT campaign.id, segments.date, segments.device, segments.ad_network_type, ${metrics} FROM campaign`,
  ad_group_daily: `SELECT ad_group.id, segments.date, segments.device, ${metrics} FROM ad_group`,
  ad_daily: `SELECT ad_group_ad.ad.id, segments.date, segments.device, ${metrics} FROM ad_group_ad`,
  keyword_daily: `SELECT ad_group_criterion.criterion_id, segments.date, segments.device, ${metrics} FROM keyword_view`,
  search_term_daily: `SELECT search_term_view.search_term, segments.date, ${metrics} FROM search_term_view`,
  geographic_daily: `SELECT geographic_view.country_criterion_id, segments.date, ${metrics} FROM geographic_view`,
  conversion_action_daily:
    'SELECT campaign.id, segments.date, segments.conversion_action, metrics.conversions, metrics.all_conversions FROM campaign',
} as const;

/** Counts with the API's own reader, without faults. */
export function streamTotals(...parameters: Parameters<typeof streamRows>): StreamTotals {
  return sumRows(streamRows(...parameters));
}

export function streamRows(
  state: GoogleAdsState,
  account: Account,
  stream: keyof typeof streams,
  from: string,
  to: string,
): StreamRow[] {
  const context = contextOf(state, account, [...users.values()][0] as User);
  const plan = planQuery(`${streams[stream]} WHERE segments.date BETWEEN '${from}' AND '${to}'`, context.today);
  const [idField = ''] = /[a-z_.]+\.\w+/.exec(streams[stream]) ?? [];
  const rows: StreamRow[] = [];
  for (const { entity, dayNumber, device, network, metrics } of readRows(plan, context)) {
    if (entity.isHidden) continue;
    const sums = new Float64Array(metricCount);
    if (metrics) addMetrics(sums, 0, metrics, 0);
    rows.push({
      date: toDate(dayNumber ?? 0),
      key: [entity.values[idField], device, network].filter((part) => part !== null).join('/'),
      ...{ costMicros: String(sums[2]), clicks: sums[1] ?? 0, impressions: sums[0] ?? 0 },
    });
  }
  return rows;
}
