import type { Column, Stream } from '../kit/contract.js';
import { unifiedColumns, unifiedStream } from '../kit/unified.js';

/** A column and where it comes from: a field of the query language, the account of the slice, or what the unified table says. */
export interface ReportColumn extends Column {
  source: { field: string } | { account: 'externalId' | 'name' | 'currency' } | 'unified';
}

export interface Report {
  stream: Stream;
  /** What stands after FROM. */
  resource: string;
  columns: ReportColumn[];
}

/** Conversions are counted on the day of the click, and may follow it for as long as the account's window lasts. */
const lookbackReason =
  'Google counts a conversion on the day of its click, up to 90 days later, and takes back the cost of invalid clicks.';

const metrics = { costMicros: 'cost_micros', clicks: 'clicks', impressions: 'impressions' };

const day: ReportColumn = {
  name: 'date',
  type: 'date',
  description: "Calendar day in the account's own time zone.",
  source: { field: 'segments.date' },
};
const accountColumns: ReportColumn[] = [
  {
    name: 'account_id',
    type: 'text',
    description: 'Google Ads customer id, ten digits without dashes.',
    source: { account: 'externalId' },
  },
  {
    name: 'account_name',
    type: 'text',
    description: 'Name of the account when the row was last loaded.',
    source: { account: 'name' },
  },
  {
    name: 'currency',
    type: 'text',
    description: 'ISO 4217 currency of every amount in the row.',
    source: { account: 'currency' },
  },
];
const campaignColumns: ReportColumn[] = [
  {
    name: 'campaign_id',
    type: 'bigint',
    description: 'Id of the campaign; stays when it is renamed.',
    source: { field: 'campaign.id' },
  },
  {
    name: 'campaign_name',
    type: 'text',
    description: 'Name of the campaign when the row was last loaded.',
    source: { field: 'campaign.name' },
  },
  {
    name: 'campaign_status',
    type: 'text',
    description: 'ENABLED, PAUSED or REMOVED when the row was last loaded.',
    source: { field: 'campaign.status' },
  },
  {
    name: 'channel_type',
    type: 'text',
    description: 'Kind of campaign, such as SEARCH, DISPLAY, VIDEO, SHOPPING or PERFORMANCE_MAX.',
    source: { field: 'campaign.advertising_channel_type' },
  },
];
const adGroupColumns: ReportColumn[] = [
  {
    name: 'ad_group_id',
    type: 'bigint',
    description: 'Id of the ad group; stays when it is renamed.',
    source: { field: 'ad_group.id' },
  },
  {
    name: 'ad_group_name',
    type: 'text',
    description: 'Name of the ad group when the row was last loaded.',
    source: { field: 'ad_group.name' },
  },
  {
    name: 'ad_group_status',
    type: 'text',
    description: 'ENABLED, PAUSED or REMOVED when the row was last loaded.',
    source: { field: 'ad_group.status' },
  },
];
const device: ReportColumn = {
  name: 'device',
  type: 'text',
  description: 'MOBILE, DESKTOP, TABLET, CONNECTED_TV or OTHER.',
  source: { field: 'segments.device' },
};
const network: ReportColumn = {
  name: 'network',
  type: 'text',
  description: 'Where the ad was shown: SEARCH, SEARCH_PARTNERS, CONTENT, YOUTUBE or MIXED.',
  source: { field: 'segments.ad_network_type' },
};
const metricColumns: ReportColumn[] = [
  { name: 'impressions', type: 'bigint', description: 'Times the ad was shown.', source: { field: 'metrics.impressions' } },
  { name: 'clicks', type: 'bigint', description: 'Clicks on the ad.', source: { field: 'metrics.clicks' } },
  {
    name: 'cost_micros',
    type: 'bigint',
    description: 'Cost in millionths of the currency: divide by 1,000,000.',
    source: { field: 'metrics.cost_micros' },
  },
  {
    name: 'conversions',
    type: 'double',
    description: 'Conversions of the primary actions, on the day of the click; fractions come from attribution.',
    source: { field: 'metrics.conversions' },
  },
  {
    name: 'conversions_value',
    type: 'double',
    description: 'Value of these conversions, in the currency (not in micros).',
    source: { field: 'metrics.conversions_value' },
  },
  {
    name: 'all_conversions',
    type: 'double',
    description: 'Conversions of all actions, secondary ones included.',
    source: { field: 'metrics.all_conversions' },
  },
  {
    name: 'view_through_conversions',
    type: 'bigint',
    description: 'Conversions after the ad was seen but not clicked.',
    source: { field: 'metrics.view_through_conversions' },
  },
];

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

/** Fields of the unified table that Google reports; the others are the account's, or filled in by the kit. */
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

export const reports: Report[] = [campaignDaily, adGroupDaily, unified];

function defineReport(
  resource: string,
  columns: ReportColumn[],
  stream: Pick<Stream, 'name' | 'title' | 'description' | 'table' | 'key' | 'level' | 'breakdowns'>,
): Report {
  const plainColumns = columns.map(({ name, type, description }) => ({ name, type, description }));
  return { resource, columns, stream: { ...stream, columns: plainColumns, metrics, lookbackReason } };
}
