import type { Column, Level, Stream } from '../kit/contract.js';
import { unifiedColumns, unifiedStream } from '../kit/unified.js';

/** A column and its source. */
export interface ReportColumn extends Column {
  source:
    | { account: 'externalId' | 'name' | 'currency' }
    /** A text field or breakdown; `otherwise` is the default if Meta omits it. */
    | { text: string; otherwise?: string }
    /** A whole number. If Meta omits it: null if nullable (unknown), otherwise 0. */
    | { whole: string; isNullable?: boolean }
    | { money: string }
    /** Purchases from `actions` and `action_values`; `amount` is the value in the currency itself. */
    | { purchases: 'count' | 'value' | 'amount' }
    /** A constant of the slice in the unified table, or a column filled in by the kit. */
    | { unified: string }
    /** One action in one attribution window. */
    | { action: 'type' | 'window' | 'count' | 'value' };
}

export interface Report {
  stream: Stream;
  /** In Meta's spelling. */
  level: 'account' | 'campaign' | 'adset' | 'ad';
  columns: ReportColumn[];
  /** One row per action type and window of an object and day, instead of one per object. */
  isByAction: boolean;
}

const lookbackReason =
  'Meta counts conversions up to 28 days after the ad was viewed or clicked, and refunds the cost of invalid clicks. Since 2025-06-10 conversions on Meta are counted on the day of the impression, and those off Meta on the day they happened.';
const streamLevels: Record<Report['level'], Level> = { account: 'account', campaign: 'campaign', adset: 'ad_group', ad: 'ad' };
const metrics = { costMicros: 'cost_micros', clicks: 'clicks', impressions: 'impressions' };

const text = (name: string, field: string, description: string, otherwise?: string): ReportColumn => ({
  name,
  type: 'text',
  description,
  source: { text: field, ...(otherwise !== undefined && { otherwise }) },
});

const common: ReportColumn[] = [
  { name: 'date', type: 'date', description: "Calendar day in the account's own time zone.", source: { text: 'date_start' } },
  { name: 'account_id', type: 'text', description: 'Id of the ad account, without act_.', source: { account: 'externalId' } },
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
const campaign: ReportColumn[] = [
  text('campaign_id', 'campaign_id', 'Id of the campaign. Renaming does not change it.'),
  text('campaign_name', 'campaign_name', 'Name of the campaign when the row was last loaded.', ''),
  text('objective', 'objective', 'Objective of the campaign, such as OUTCOME_SALES or OUTCOME_TRAFFIC.', ''),
];
const adSet: ReportColumn[] = [
  text('ad_set_id', 'adset_id', 'Id of the ad set. Renaming does not change it.'),
  text('ad_set_name', 'adset_name', 'Name of the ad set when the row was last loaded.', ''),
];
const ad: ReportColumn[] = [
  text('ad_id', 'ad_id', 'Id of the ad. Renaming does not change it.'),
  text('ad_name', 'ad_name', 'Name of the ad when the row was last loaded.', ''),
];
const numbers: ReportColumn[] = [
  { name: 'impressions', type: 'bigint', description: 'Number of times an ad was on screen.', source: { whole: 'impressions' } },
  {
    name: 'clicks',
    type: 'bigint',
    description: 'All clicks on the ad, including clicks without a link. Includes link_clicks.',
    source: { whole: 'clicks' },
  },
  {
    name: 'cost_micros',
    type: 'bigint',
    description: 'Amount spent, in millionths of the currency: divide by 1,000,000.',
    source: { money: 'spend' },
  },
  {
    name: 'link_clicks',
    type: 'bigint',
    description: 'Clicks on links in the ad, to destinations on or off Meta.',
    source: { whole: 'inline_link_clicks' },
  },
  {
    name: 'purchases',
    type: 'double',
    description:
      'Purchases on websites, in apps and in shops, each counted once: action type omni_purchase, else purchase, else offsite_conversion.fb_pixel_purchase. Counted in the window of each ad set. Do not add actions of other types: they may be the same purchases.',
    source: { purchases: 'count' },
  },
  {
    name: 'purchase_value_micros',
    type: 'bigint',
    description: 'Value of these purchases, in millionths of the currency.',
    source: { purchases: 'value' },
  },
];
const reach: ReportColumn = {
  name: 'reach',
  type: 'bigint',
  description:
    'Estimated number of people who saw an ad at least once that day. Do not sum it over rows. Null if Meta does not report it.',
  source: { whole: 'reach', isNullable: true },
};
const actionColumns: ReportColumn[] = [
  {
    name: 'action_type',
    type: 'text',
    description: 'Action type of Meta, such as link_click or omni_purchase. Types overlap: select one, do not sum them.',
    source: { action: 'type' },
  },
  {
    name: 'attribution_window',
    type: 'text',
    description:
      'default (the window of each ad set), or 1d_click, 7d_click, 28d_click, 1d_view. Windows overlap: select one, do not sum them.',
    source: { action: 'window' },
  },
  {
    name: 'action_count',
    type: 'double',
    description: 'Number of actions in this window. Can be a fraction.',
    source: { action: 'count' },
  },
  {
    name: 'action_value_micros',
    type: 'bigint',
    description: 'Value of the actions, in millionths of the currency; 0 for actions without a value.',
    source: { action: 'value' },
  },
];
const breakdownColumns = {
  age: text('age', 'age', 'Age group, such as 25-34.', 'unknown'),
  gender: text('gender', 'gender', 'Gender: female, male or unknown.', 'unknown'),
  country: text('country', 'country', "ISO 3166 code of the users' country.", 'unknown'),
  publisher_platform: text(
    'publisher_platform',
    'publisher_platform',
    'facebook, instagram, audience_network, messenger or threads.',
    'unknown',
  ),
  platform_position: text(
    'platform_position',
    'platform_position',
    'Position on the platform, such as feed or instagram_stories.',
    'unknown',
  ),
};
type Breakdown = keyof typeof breakdownColumns;

const adColumns = [...common, ...campaign, ...adSet, ...ad];
const brokenDown = (name: string, words: string, breakdowns: Breakdown[]): Report =>
  defineReport('ad', [...adColumns, ...breakdowns.map((one) => breakdownColumns[one]), ...numbers], {
    name: `ad_${name}_daily`,
    title: `Ads by day and ${words}`,
    description: `Meta Ads: one row per ad, day and ${words} with delivery. The rows can add up to less than the account's total, because Meta lacks this information for some people.`,
    key: ['ad_id', ...breakdowns],
    breakdowns,
    verification: 'share_of_total',
  });

/** Columns of the unified table that Meta reports. The others come from the account or from the kit. */
const unifiedSources: Record<string, ReportColumn['source']> = {
  date: { text: 'date_start' },
  campaign_id: { text: 'campaign_id' },
  campaign_name: { text: 'campaign_name', otherwise: '' },
  impressions: { whole: 'impressions' },
  clicks: { whole: 'clicks' },
  cost_micros: { money: 'spend' },
  conversions: { purchases: 'count' },
  conversion_value: { purchases: 'amount' },
};

const unified: Report = {
  level: 'campaign',
  stream: unifiedStream('meta_ads', lookbackReason),
  columns: unifiedColumns.map((column) => ({ ...column, source: unifiedSources[column.name] ?? { unified: column.name } })),
  isByAction: false,
};

export const reports: Report[] = [
  defineReport('account', [...common, ...numbers, reach], {
    name: 'account_daily',
    title: 'Accounts by day',
    description: 'Meta Ads: one row per account and day with delivery.',
    key: [],
  }),
  defineReport('campaign', [...common, ...campaign, ...numbers, reach], {
    name: 'campaign_daily',
    title: 'Campaigns by day',
    description: 'Meta Ads: one row per campaign and day with delivery.',
    key: ['campaign_id'],
  }),
  defineReport('adset', [...common, ...campaign, ...adSet, ...numbers, reach], {
    name: 'ad_set_daily',
    title: 'Ad sets by day',
    description: 'Meta Ads: one row per ad set and day with delivery.',
    key: ['ad_set_id'],
  }),
  defineReport('ad', [...adColumns, ...numbers, reach], {
    name: 'ad_daily',
    title: 'Ads by day',
    description: 'Meta Ads: one row per ad and day with delivery.',
    key: ['ad_id'],
  }),
  brokenDown('age_gender', 'age and gender', ['age', 'gender']),
  brokenDown('country', 'country', ['country']),
  brokenDown('placement', 'placement', ['publisher_platform', 'platform_position']),
  defineReport('campaign', [...common, ...campaign, ...actionColumns], {
    name: 'campaign_actions_daily',
    title: 'Actions of campaigns by day',
    description: 'Meta Ads: one row per campaign, day, action type and attribution window in which there was any.',
    key: ['campaign_id', 'action_type', 'attribution_window'],
    breakdowns: ['action_type'],
  }),
  unified,
];

function defineReport(
  level: Report['level'],
  columns: ReportColumn[],
  {
    key,
    breakdowns = [],
    verification = 'control_totals',
    ...words
  }: Pick<Stream, 'name' | 'title' | 'description' | 'key'> & Partial<Pick<Stream, 'breakdowns' | 'verification'>>,
): Report {
  const isByAction = columns.some(({ source }) => 'action' in source);
  return {
    level,
    columns,
    isByAction,
    stream: {
      ...words,
      table: `meta_ads_${words.name}`,
      columns: columns.map(({ name, type, description }) => ({ name, type, description })),
      key: ['account_id', 'date', ...key],
      level: streamLevels[level],
      breakdowns,
      metrics: isByAction ? { costMicros: null, clicks: null, impressions: null } : metrics,
      verification,
      lookbackReason,
    },
  };
}
