import type { Column, Value } from '../kit/contract.js';

/** A column and its source: a field of the query language, the account of the slice, or the unified table. */
export interface ReportColumn extends Column {
  source: { field: string } | { account: 'externalId' | 'name' | 'currency' } | 'unified';
  /** Value of a key column that Google omits. Without it, such a row is rejected. */
  whenMissing?: Value;
}

export const day: ReportColumn = {
  name: 'date',
  type: 'date',
  description: "Calendar day in the account's own time zone.",
  source: { field: 'segments.date' },
};
export const accountColumns: ReportColumn[] = [
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
export const campaignColumns: ReportColumn[] = [
  {
    name: 'campaign_id',
    type: 'bigint',
    description: 'Id of the campaign. Renaming does not change it.',
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
    description: 'Type of campaign, such as SEARCH, DISPLAY, VIDEO, SHOPPING or PERFORMANCE_MAX.',
    source: { field: 'campaign.advertising_channel_type' },
  },
];
export const adGroupColumns: ReportColumn[] = [
  {
    name: 'ad_group_id',
    type: 'bigint',
    description: 'Id of the ad group. Renaming does not change it.',
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
export const device: ReportColumn = {
  name: 'device',
  type: 'text',
  description: 'MOBILE, DESKTOP, TABLET, CONNECTED_TV or OTHER.',
  source: { field: 'segments.device' },
};
export const network: ReportColumn = {
  name: 'network',
  type: 'text',
  description: 'Where the ad was shown: SEARCH, SEARCH_PARTNERS, CONTENT, YOUTUBE or MIXED.',
  source: { field: 'segments.ad_network_type' },
};
export const metricColumns: ReportColumn[] = [
  {
    name: 'impressions',
    type: 'bigint',
    description: 'Number of times the ad was shown.',
    source: { field: 'metrics.impressions' },
  },
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
    description: 'Conversions of the primary actions, on the day of the click. Attribution can give fractions.',
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
    description: 'Conversions of all actions, including secondary ones.',
    source: { field: 'metrics.all_conversions' },
  },
  {
    name: 'view_through_conversions',
    type: 'bigint',
    description: 'Conversions after the ad was viewed but not clicked.',
    source: { field: 'metrics.view_through_conversions' },
  },
];
export const adColumns: ReportColumn[] = [
  { name: 'ad_id', type: 'bigint', description: 'Id of the ad.', source: { field: 'ad_group_ad.ad.id' } },
  {
    name: 'ad_name',
    type: 'text',
    description: 'Name of the ad when the row was last loaded. Most ad types have none.',
    source: { field: 'ad_group_ad.ad.name' },
  },
  {
    name: 'ad_type',
    type: 'text',
    description: 'Type of ad, such as RESPONSIVE_SEARCH_AD.',
    source: { field: 'ad_group_ad.ad.type' },
  },
  {
    name: 'ad_status',
    type: 'text',
    description: 'ENABLED, PAUSED or REMOVED when the row was last loaded.',
    source: { field: 'ad_group_ad.status' },
  },
];
export const keywordColumns: ReportColumn[] = [
  {
    name: 'criterion_id',
    type: 'bigint',
    description: 'Id of the keyword within its ad group.',
    source: { field: 'ad_group_criterion.criterion_id' },
  },
  { name: 'keyword', type: 'text', description: 'Text of the keyword.', source: { field: 'ad_group_criterion.keyword.text' } },
  {
    name: 'match_type',
    type: 'text',
    description: 'Match type of the keyword: BROAD, PHRASE or EXACT.',
    source: { field: 'ad_group_criterion.keyword.match_type' },
  },
  {
    name: 'keyword_status',
    type: 'text',
    description: 'ENABLED, PAUSED or REMOVED when the row was last loaded.',
    source: { field: 'ad_group_criterion.status' },
  },
];
export const searchTermColumns: ReportColumn[] = [
  {
    name: 'search_term',
    type: 'text',
    description: 'Text that users searched for.',
    source: { field: 'search_term_view.search_term' },
  },
  {
    name: 'search_term_status',
    type: 'text',
    description: 'Whether the term is already a keyword: ADDED, EXCLUDED, ADDED_EXCLUDED or NONE.',
    source: { field: 'search_term_view.status' },
  },
];
export const placeColumns: ReportColumn[] = [
  {
    name: 'country_criterion_id',
    type: 'bigint',
    description: 'Id of the country in Google’s list of geographic targets, such as 2276 for Germany; 0: no country reported.',
    source: { field: 'geographic_view.country_criterion_id' },
    whenMissing: 0n,
  },
  {
    name: 'location_type',
    type: 'text',
    description: 'LOCATION_OF_PRESENCE: where users were. AREA_OF_INTEREST: the place they searched for.',
    source: { field: 'geographic_view.location_type' },
  },
];
export const actionColumns: ReportColumn[] = [
  {
    name: 'conversion_action',
    type: 'text',
    description: 'Resource name of the conversion action: customers/…/conversionActions/….',
    source: { field: 'segments.conversion_action' },
  },
  {
    name: 'conversion_action_name',
    type: 'text',
    description: 'Name of the conversion action when the row was last loaded.',
    source: { field: 'segments.conversion_action_name' },
  },
  {
    name: 'conversion_action_category',
    type: 'text',
    description: 'Category of the action, such as PURCHASE or SIGNUP.',
    source: { field: 'segments.conversion_action_category' },
  },
];
export const conversionColumns: ReportColumn[] = [
  {
    name: 'conversions',
    type: 'double',
    description: 'Conversions of the action if it is primary. Attribution can give fractions.',
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
    description: 'Conversions of the action, primary or not.',
    source: { field: 'metrics.all_conversions' },
  },
];
