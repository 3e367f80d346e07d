import type { Stream } from '../kit/contract.js';
import { unifiedStream } from '../kit/unified.js';
import {
  accountColumns,
  adColumns,
  adGroupColumns,
  campaignColumns,
  campaignType,
  conversionColumns,
  deliveredMatchType,
  device,
  goalColumns,
  goalMetrics,
  impressionShares,
  keywordColumns,
  keywordSettings,
  locationColumns,
  network,
  type ReportColumn,
  searchQuery,
  trafficColumns,
  unifiedReportColumns,
  viewThrough,
} from './columns.js';

export interface Report {
  stream: Stream;
  /** The report type before `ReportRequest`. */
  type: string;
  columns: ReportColumn[];
}

const lookbackReason =
  'Microsoft counts a conversion on the day of the click, up to 90 days later, and refunds invalid clicks for a week or more.';

type Description = Pick<Stream, 'name' | 'title' | 'description' | 'level' | 'breakdowns'> & { keyAfterDay: string[] };

const traffic = { costMicros: 'cost_micros', clicks: 'clicks', impressions: 'impressions' };
const noTraffic = { costMicros: null, clicks: null, impressions: null };
const fullMetrics = [...trafficColumns, ...conversionColumns, viewThrough];

export const reports: Report[] = [
  defineReport('AccountPerformance', [...accountColumns, device, network, ...fullMetrics, ...impressionShares], {
    name: 'account_daily',
    title: 'Accounts by day',
    description: 'Microsoft Advertising: one row per account, day, device and network on which the account had traffic.',
    level: 'account',
    breakdowns: [],
    keyAfterDay: ['device', 'network'],
  }),
  defineReport(
    'CampaignPerformance',
    [...accountColumns, ...campaignColumns, campaignType, device, network, ...fullMetrics, ...impressionShares],
    {
      name: 'campaign_daily',
      title: 'Campaigns by day',
      description: 'Microsoft Advertising: one row per campaign, day, device and network on which the campaign had traffic.',
      level: 'campaign',
      breakdowns: [],
      keyAfterDay: ['campaign_id', 'device', 'network'],
    },
  ),
  defineReport(
    'AdGroupPerformance',
    [
      ...[...accountColumns, ...campaignColumns, campaignType, ...adGroupColumns('Status'), device, network],
      ...[...fullMetrics, ...impressionShares],
    ],
    {
      name: 'ad_group_daily',
      title: 'Ad groups by day',
      description: 'Microsoft Advertising: one row per ad group, day, device and network on which the ad group had traffic.',
      level: 'ad_group',
      breakdowns: [],
      keyAfterDay: ['campaign_id', 'ad_group_id', 'device', 'network'],
    },
  ),
  defineReport(
    'AdPerformance',
    [...accountColumns, ...campaignColumns, campaignType, ...adGroupColumns(), ...adColumns, device, ...fullMetrics],
    {
      name: 'ad_daily',
      title: 'Ads by day',
      description: 'Microsoft Advertising: one row per ad, day and device on which the ad had traffic.',
      level: 'ad',
      breakdowns: [],
      keyAfterDay: ['campaign_id', 'ad_group_id', 'ad_id', 'device'],
    },
  ),
  defineReport(
    'KeywordPerformance',
    [
      ...[...accountColumns, ...campaignColumns, ...adGroupColumns(), ...keywordColumns, ...keywordSettings],
      ...[deliveredMatchType, device, ...fullMetrics],
    ],
    {
      name: 'keyword_daily',
      title: 'Keywords by day',
      description: 'Microsoft Advertising: one row per keyword, day, match type and device; search campaigns only.',
      level: 'keyword',
      breakdowns: [],
      keyAfterDay: ['campaign_id', 'ad_group_id', 'keyword_id', 'bid_match_type', 'delivered_match_type', 'device'],
    },
  ),
  defineReport(
    'SearchQueryPerformance',
    [
      ...[...accountColumns, ...campaignColumns, ...adGroupColumns(), ...keywordColumns, searchQuery, deliveredMatchType],
      ...[...trafficColumns, ...conversionColumns],
    ],
    {
      name: 'search_query_daily',
      title: 'Search queries by day',
      description:
        'Microsoft Advertising: one row per search term, keyword and day. Microsoft hides rare terms, so sums are lower.',
      level: 'keyword',
      breakdowns: ['search_query'],
      keyAfterDay: ['campaign_id', 'ad_group_id', 'keyword_id', 'search_query', 'delivered_match_type'],
    },
  ),
  defineReport('GeographicPerformance', [...accountColumns, ...campaignColumns, ...locationColumns, ...fullMetrics], {
    name: 'geographic_daily',
    title: 'Places by day',
    description:
      "Microsoft Advertising: one row per campaign, place and day. The place is the user's location or the place searched for.",
    level: 'campaign',
    breakdowns: ['location'],
    keyAfterDay: ['campaign_id', 'location_id', 'location_type', 'country', 'state', 'city'],
  }),
  defineReport(
    'GoalsAndFunnels',
    [...accountColumns, ...campaignColumns, ...goalColumns, device, ...goalMetrics],
    {
      name: 'conversion_goal_daily',
      title: 'Conversion goals by day',
      description:
        'Microsoft Advertising: conversions of each goal per campaign, day and device; without cost, which has no goal.',
      level: 'campaign',
      breakdowns: ['conversion_goal'],
      keyAfterDay: ['campaign_id', 'goal_id', 'device'],
    },
    noTraffic,
  ),
  {
    type: 'CampaignPerformance',
    columns: unifiedReportColumns,
    stream: unifiedStream('microsoft_ads', lookbackReason, 'exact_rows'),
  },
];

function defineReport(
  type: string,
  columns: ReportColumn[],
  { keyAfterDay, ...description }: Description,
  metrics: Stream['metrics'] = traffic,
): Report {
  const stream: Stream = {
    ...description,
    table: `microsoft_ads_${description.name}`,
    key: ['account_id', 'date', ...keyAfterDay],
    columns: columns.map(({ name, type: columnType, description: words }) => ({ name, type: columnType, description: words })),
    metrics,
    verification: 'exact_rows',
    lookbackReason,
  };
  return { type, columns, stream };
}
