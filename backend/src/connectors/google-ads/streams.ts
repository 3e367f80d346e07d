import type { Stream } from '../kit/contract.js';
import {
  accountColumns,
  actionColumns,
  adColumns,
  adGroupColumns,
  campaignColumns,
  conversionColumns,
  day,
  device,
  keywordColumns,
  metricColumns,
  network,
  placeColumns,
  searchTermColumns,
  type ReportColumn,
} from './columns.js';
import { unifiedColumns, unifiedStream } from '../kit/unified.js';

export interface Report {
  stream: Stream;
  /** The FROM clause. */
  resource: string;
  columns: ReportColumn[];
}

/** Conversions are counted on the day of the click. They may follow it for as long as the account's conversion window. */
const lookbackReason =
  'Google counts a conversion on the day of the click, up to 90 days later, and refunds the cost of invalid clicks.';

const metrics = { costMicros: 'cost_micros', clicks: 'clicks', impressions: 'impressions' };

const campaignDaily = defineReport('campaign', [day, ...accountColumns, ...campaignColumns, device, network, ...metricColumns], {
  name: 'campaign_daily',
  title: 'Campaigns by day',
  description: 'Google Ads: one row per campaign, day, device and network on which the campaign had traffic.',
  table: 'google_ads_campaign_daily',
  level: 'campaign',
  breakdowns: [],
  key: ['account_id', 'date', 'campaign_id', 'device', 'network'],
});

const adGroupDaily = defineReport(
  'ad_group',
  [day, ...accountColumns, ...campaignColumns, ...adGroupColumns, device, ...metricColumns],
  {
    name: 'ad_group_daily',
    title: 'Ad groups by day',
    description: 'Google Ads: one row per ad group, day and device on which the ad group had traffic.',
    table: 'google_ads_ad_group_daily',
    level: 'ad_group',
    breakdowns: [],
    key: ['account_id', 'date', 'ad_group_id', 'device'],
  },
);

const adDaily = defineReport(
  'ad_group_ad',
  [day, ...accountColumns, ...campaignColumns, ...adGroupColumns, ...adColumns, device, ...metricColumns],
  {
    name: 'ad_daily',
    title: 'Ads by day',
    description:
      'Google Ads: one row per ad, day and device. Performance Max campaigns have no ads, so their cost is not included.',
    table: 'google_ads_ad_daily',
    key: ['account_id', 'date', 'ad_group_id', 'ad_id', 'device'],
    level: 'ad',
    breakdowns: [],
  },
);

const keywordDaily = defineReport(
  'keyword_view',
  [day, ...accountColumns, ...campaignColumns, ...adGroupColumns, ...keywordColumns, device, ...metricColumns],
  {
    name: 'keyword_daily',
    title: 'Keywords by day',
    description: 'Google Ads: one row per keyword, day and device. Only search campaigns have keywords.',
    table: 'google_ads_keyword_daily',
    key: ['account_id', 'date', 'ad_group_id', 'criterion_id', 'device'],
    level: 'keyword',
    breakdowns: [],
  },
);

const searchTermDaily = defineReport(
  'search_term_view',
  [day, ...accountColumns, ...campaignColumns, ...adGroupColumns, ...searchTermColumns, ...metricColumns],
  {
    name: 'search_term_daily',
    title: 'Search terms by day',
    description:
      'Google Ads: one row per search term, ad group and day. Google hides rare terms, so the cost is less than the total.',
    table: 'google_ads_search_term_daily',
    verification: 'share_of_total',
    key: ['account_id', 'date', 'ad_group_id', 'search_term'],
    level: 'keyword',
    breakdowns: ['search_term'],
  },
);

const geographicDaily = defineReport(
  'geographic_view',
  [day, ...accountColumns, ...campaignColumns, ...placeColumns, ...metricColumns],
  {
    name: 'geographic_daily',
    title: 'Countries by day',
    description: 'Google Ads: one row per campaign, country and day.',
    table: 'google_ads_geographic_daily',
    key: ['account_id', 'date', 'campaign_id', 'country_criterion_id', 'location_type'],
    level: 'campaign',
    breakdowns: ['country'],
  },
);

const conversionActionDaily = defineReport(
  'campaign',
  [day, ...accountColumns, ...campaignColumns, ...actionColumns, ...conversionColumns],
  {
    name: 'conversion_action_daily',
    title: 'Conversions by action and day',
    description: 'Google Ads: one row per campaign, conversion action and day. Google reports no cost or clicks by action.',
    table: 'google_ads_conversion_action_daily',
    key: ['account_id', 'date', 'campaign_id', 'conversion_action'],
    level: 'campaign',
    breakdowns: ['conversion_action'],
    metrics: { costMicros: null, clicks: null, impressions: null },
  },
);

/** Fields of the unified table that Google reports. The others come from the account or from the kit. */
const unifiedFields: Record<string, string> = {
  date: 'segments.date',
  campaign_id: 'campaign.id',
  campaign_name: 'campaign.name',
  impressions: 'metrics.impressions',
  clicks: 'metrics.clicks',
  cost_micros: 'metrics.cost_micros',
  conversions: 'metrics.conversions',
  conversion_value: 'metrics.conversions_value',
};

const unified: Report = {
  resource: 'campaign',
  stream: unifiedStream('google_ads', lookbackReason),
  columns: unifiedColumns.map((column) => {
    const field = unifiedFields[column.name];
    return { ...column, source: field === undefined ? 'unified' : { field } };
  }),
};

export const reports: Report[] = [
  campaignDaily,
  adGroupDaily,
  adDaily,
  keywordDaily,
  searchTermDaily,
  geographicDaily,
  conversionActionDaily,
  unified,
];

function defineReport(
  resource: string,
  columns: ReportColumn[],
  stream: Pick<Stream, 'name' | 'title' | 'description' | 'table' | 'key' | 'level' | 'breakdowns'> &
    Partial<Pick<Stream, 'metrics' | 'verification'>>,
): Report {
  const plainColumns = columns.map(({ name, type, description }) => ({ name, type, description }));
  return {
    resource,
    columns,
    stream: { metrics, verification: 'control_totals', ...stream, columns: plainColumns, lookbackReason },
  };
}
