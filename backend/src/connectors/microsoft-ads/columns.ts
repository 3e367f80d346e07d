import type { AdAccount, Column } from '../kit/contract.js';
import { unifiedColumns } from '../kit/unified.js';
import * as read from './values.js';

/** A column and its source: Microsoft's report, the account of the slice, or the unified table. */
export type ReportColumn = Column &
  (
    | { from: 'report'; field: string; read: read.CellReader }
    | { from: 'account'; property: keyof AdAccount }
    | { from: 'unified' }
  );

/**
 * guides/reports (MicrosoftDocs `a21125d`): "The downloaded report data is always relative to UTC time", despite ReportTimeZone.
 */
export const accountColumns: ReportColumn[] = [
  column(
    'date',
    'date',
    'TimePeriod',
    read.readDay,
    'Day in the report of Microsoft Advertising. The report is requested in the time zone of the account (time_zone), but Microsoft’s guide to reports says that report data is always relative to UTC. Near midnight the two can be different days.',
  ),
  column('account_id', 'text', 'AccountId', read.readText, 'Id of the ad account at Microsoft Advertising.'),
  ofAccount('account_name', 'name', 'Name of the account when the row was last loaded.'),
  ofAccount('currency', 'currency', 'ISO 4217 currency of every amount in the row.'),
  ofAccount('time_zone', 'timeZone', 'IANA time zone of the account, in which the report was requested; see date.'),
];

export const campaignColumns: ReportColumn[] = [
  column('campaign_id', 'bigint', 'CampaignId', read.readId, 'Id of the campaign. Renaming does not change it.'),
  column('campaign_name', 'text', 'CampaignName', read.readText, 'Name of the campaign when the row was last loaded.'),
  column(
    'campaign_status',
    'text',
    'CampaignStatus',
    read.readText,
    'Status when the row was last loaded, such as Active, Paused or Deleted.',
  ),
];

export const campaignType = column(
  'campaign_type',
  'text',
  'CampaignType',
  read.readText,
  'Campaign type, such as Search & content, Shopping, Audience or Performance max.',
);

/** The status field of ad groups has another name in their own report than in the others. */
export function adGroupColumns(statusField = 'AdGroupStatus'): ReportColumn[] {
  return [
    column('ad_group_id', 'bigint', 'AdGroupId', read.readId, 'Id of the ad group. Renaming does not change it.'),
    column('ad_group_name', 'text', 'AdGroupName', read.readText, 'Name of the ad group when the row was last loaded.'),
    column(
      'ad_group_status',
      'text',
      statusField,
      read.readText,
      'Status when the row was last loaded, such as Active, Paused or Deleted.',
    ),
  ];
}

export const adColumns: ReportColumn[] = [
  column('ad_id', 'bigint', 'AdId', read.readId, 'Id of the ad.'),
  column('ad_title', 'text', 'AdTitle', read.readText, 'Title of the ad when the row was last loaded; empty if it has several.'),
  column('ad_type', 'text', 'AdType', read.readText, 'Type of ad, such as Responsive search ad.'),
  column(
    'ad_status',
    'text',
    'AdStatus',
    read.readText,
    'Status when the row was last loaded, such as Active, Paused or Deleted.',
  ),
];

export const keywordColumns: ReportColumn[] = [
  column('keyword_id', 'bigint', 'KeywordId', read.readId, 'Id of the keyword; 0 if the ad was shown without a keyword.'),
  column('keyword', 'text', 'Keyword', read.readText, 'Text of the keyword.'),
];

export const keywordSettings: ReportColumn[] = [
  column(
    'keyword_status',
    'text',
    'KeywordStatus',
    read.readText,
    'Status when the row was last loaded, such as Active, Paused or Deleted.',
  ),
  column('bid_match_type', 'text', 'BidMatchType', read.readText, 'Match type of the bid: Exact, Phrase or Broad.'),
];

export const deliveredMatchType = column(
  'delivered_match_type',
  'text',
  'DeliveredMatchType',
  read.readText,
  'Match type of the search: Exact, Phrase, Broad or Unknown.',
);

export const searchQuery = column('search_query', 'text', 'SearchQuery', read.readText, 'Text that users searched for.');

export const device = column('device', 'text', 'DeviceType', read.readText, 'Computer, Smartphone, Tablet or Unknown.');

export const network = column(
  'network',
  'text',
  'Network',
  read.readText,
  'Where the ad was shown, such as Microsoft sites and select traffic, Syndicated search partners or Audience.',
);

export const locationColumns: ReportColumn[] = [
  column('location_id', 'bigint', 'LocationId', read.readId, 'Geographical location code of Microsoft; 0 if unknown.'),
  column(
    'location_type',
    'text',
    'LocationType',
    read.readText,
    'Physical location: where the user was. Location of interest: the place searched for.',
  ),
  column('country', 'text', 'Country', read.readText, 'Country or region, in English.'),
  column('state', 'text', 'State', read.readText, 'State or province; empty if unknown.'),
  column('city', 'text', 'City', read.readText, 'City; empty if unknown.'),
];

export const goalColumns: ReportColumn[] = [
  column('goal_id', 'bigint', 'GoalId', read.readId, 'Id of the conversion goal. Renaming does not change it.'),
  column('goal_name', 'text', 'Goal', read.readText, 'Name of the conversion goal when the row was last loaded.'),
  column('goal_type', 'text', 'GoalType', read.readText, 'Type of goal, such as Url, Event or OfflineConversion.'),
];

export const trafficColumns: ReportColumn[] = [
  column('impressions', 'bigint', 'Impressions', read.readCount, 'Number of times the ad was shown.'),
  column('clicks', 'bigint', 'Clicks', read.readCount, 'Clicks on the ad, without invalid clicks.'),
  column('cost_micros', 'bigint', 'Spend', read.readMoney, 'Cost in millionths of the currency: divide by 1,000,000.'),
];

const allConversions: ReportColumn[] = [
  column(
    'all_conversions',
    'double',
    'AllConversionsQualified',
    read.readNumber,
    'Conversions of all goals on the day of the click, including goals that bidding does not use.',
  ),
  column(
    'all_conversions_value_micros',
    'bigint',
    'AllRevenue',
    read.readOptionalMoney,
    'Revenue of all conversions, in millionths of the currency.',
  ),
];

export const conversionColumns: ReportColumn[] = [
  column(
    'conversions',
    'double',
    'ConversionsQualified',
    read.readNumber,
    'Conversions of the goals that bidding uses, on the day of the click. Attribution can give fractions.',
  ),
  column(
    'conversions_value_micros',
    'bigint',
    'Revenue',
    read.readOptionalMoney,
    'Revenue of these conversions, in millionths of the currency.',
  ),
  ...allConversions,
  column('assists', 'bigint', 'Assists', read.readOptionalCount, 'Conversions of other ads after an earlier click on this ad.'),
];

export const viewThrough = column(
  'view_through_conversions',
  'double',
  'ViewThroughConversionsQualified',
  read.readNumber,
  'Conversions after the ad was viewed but not clicked; empty if Microsoft does not count them.',
);

export const goalMetrics: ReportColumn[] = [...allConversions, viewThrough];

export const impressionShares: ReportColumn[] = [
  column(
    'impression_share',
    'double',
    'ImpressionSharePercent',
    read.readPercent,
    'Percent of the possible impressions that were won, 0 to 100. Do not sum it. Empty if not computed.',
  ),
  column(
    'impression_share_lost_to_budget',
    'double',
    'ImpressionLostToBudgetPercent',
    read.readPercent,
    'Percent of the possible impressions lost because of the budget. Do not sum it.',
  ),
];

/** Columns of the unified table that Microsoft reports. The rest comes from the account or from the kit. */
const unifiedFields: Record<string, { field: string; read: read.CellReader }> = {
  date: { field: 'TimePeriod', read: read.readDay },
  account_id: { field: 'AccountId', read: read.readText },
  campaign_id: { field: 'CampaignId', read: read.readText },
  campaign_name: { field: 'CampaignName', read: read.readText },
  impressions: { field: 'Impressions', read: read.readCount },
  clicks: { field: 'Clicks', read: read.readCount },
  cost_micros: { field: 'Spend', read: read.readMoney },
  conversions: { field: 'ConversionsQualified', read: read.readNumber },
  conversion_value: { field: 'Revenue', read: read.readNumber },
};

export const unifiedReportColumns = unifiedColumns.map((one): ReportColumn => {
  const source = unifiedFields[one.name];
  return source ? { ...one, from: 'report', ...source } : { ...one, from: 'unified' };
});

function column(name: string, type: Column['type'], field: string, reader: read.CellReader, description: string): ReportColumn {
  return { name, type, description, from: 'report', field, read: reader };
}

function ofAccount(name: string, property: keyof AdAccount, description: string): ReportColumn {
  return { name, type: 'text', description, from: 'account', property };
}
