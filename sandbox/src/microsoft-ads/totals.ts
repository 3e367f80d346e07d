import type { Account } from './accounts.ts';
import { contextOf } from './context.ts';
import { toDayNumber } from '../clock.ts';
import { readRows } from './report-rows.ts';
import type { MicrosoftAdsState } from './state.ts';
import { sumRows, type StreamRow, type StreamTotals } from '../stream-rows.ts';

export interface StreamReport {
  type: string;
  /** Columns that split the rows of the stream. */
  by: string[];
}

/** The reports that the product reads, with their columns. */
export const streams: Record<string, StreamReport> = {
  account_daily: { type: 'AccountPerformance', by: ['DeviceType', 'Network'] },
  campaign_daily: { type: 'CampaignPerformance', by: ['CampaignId', 'DeviceType', 'Network'] },
  ad_group_daily: { type: 'AdGroupPerformance', by: ['AdGroupId', 'DeviceType', 'Network'] },
  ad_daily: { type: 'AdPerformance', by: ['AdId', 'DeviceType'] },
  keyword_daily: { type: 'KeywordPerformance', by: ['KeywordId', 'BidMatchType', 'DeliveredMatchType', 'DeviceType'] },
  search_query_daily: { type: 'SearchQueryPerformance', by: ['AdGroupId', 'KeywordId', 'SearchQuery', 'DeliveredMatchType'] },
  geographic_daily: {
    type: 'GeographicPerformance',
    by: ['CampaignId', 'LocationId', 'LocationType', 'Country', 'State', 'City'],
  },
  ad_performance_daily: { type: 'CampaignPerformance', by: ['CampaignId'] },
  conversion_goal_daily: { type: 'GoalsAndFunnels', by: ['CampaignId', 'GoalId', 'DeviceType'] },
};

/** Counts with the API's own reader, without faults. */
export function streamTotals(...parameters: Parameters<typeof streamRows>): StreamTotals {
  return sumRows(streamRows(...parameters));
}

export function streamRows(
  state: MicrosoftAdsState,
  account: Account,
  { type, by }: StreamReport,
  from: string,
  to: string,
): StreamRow[] {
  const question = {
    ...{ type, columns: ['TimePeriod', 'AccountId', ...by], isDaily: true, formatVersion: '2.0' as const },
    ...{ fromDay: toDayNumber(from), toDay: toDayNumber(to) },
  };
  return readRows(question, contextOf(state, account)).map(({ values: [date = '', , ...key], metrics }) => ({
    ...{ date, key: key.join('/'), costMicros: String(metrics.spendMicros) },
    ...{ clicks: metrics.clicks, impressions: metrics.impressions },
  }));
}
