import type { Column, Level, Stream } from '../kit/contract.js';
import { unifiedColumns, unifiedStream } from '../kit/unified.js';

/** A column and where it comes from. */
export interface ReportColumn extends Column {
  source:
    | { account: 'externalId' | 'name' | 'currency' }
    /** A field or breakdown that is text; the second is what stands for it where Meta leaves it out. */
    | { text: string; otherwise?: string }
    /** A whole number; null where Meta leaves it out because it does not know it, zero where there was none. */
    | { whole: string; isNullable?: boolean }
    | { money: string }
    /** Of the purchases in `actions` and `action_values`; the amount is the value in the currency itself. */
    | { purchases: 'count' | 'value' | 'amount' }
    /** What the unified table says alike of every row of a slice, or has filled in by the kit. */
    | { unified: string }
    /** Of one action in one window. */
    | { action: 'type' | 'window' | 'count' | 'value' };
}

export interface Report {
  stream: Stream;
  /** In Meta's spelling. */
  level: 'account' | 'campaign' | 'adset' | 'ad';
  columns: ReportColumn[];
  /** One row for each action type and window of an object and day, and not one for the object. */
  isByAction: boolean;
}

const lookbackReason =
  'Meta counts conversions up to 28 days after the ad was seen or clicked, and takes back the cost of invalid clicks. Since 2025-06-10 conversions on Meta are counted on the day of the impression, and those off Meta on the day they happened.';
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
  text('campaign_id', 'campaign_id', 'Id of the campaign; stays when it is renamed.'),
  text('campaign_name', 'campaign_name', 'Name of the campaign when the row was last loaded.', ''),
  text('objective', 'objective', 'What the campaign is for, such as OUTCOME_SALES or OUTCOME_TRAFFIC.', ''),
];
const adSet: ReportColumn[] = [
  text('ad_set_id', 'adset_id', 'Id of the ad set; stays when it is renamed.'),
  text('ad_set_name', 'adset_name', 'Name of the ad set when the row was last loaded.', ''),
];
const ad: ReportColumn[] = [
  text('ad_id', 'ad_id', 'Id of the ad; stays when it is renamed.'),
  text('ad_name', 'ad_name', 'Name of the ad when the row was last loaded.', ''),
];
const numbers: ReportColumn[] = [
  { name: 'impressions', type: 'bigint', description: 'Times an ad was on screen.', source: { whole: 'impressions' } },
  {
    name: 'clicks',
    type: 'bigint',
    description: 'Clicks of every kind on the ad, those that lead nowhere included; link_clicks are among them.',
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
    description: 'Clicks on links of the ad, to places on or off Meta.',
    source: { whole: 'inline_link_clicks' },
  },
  {
    name: 'purchases',
    type: 'double',
    description:
      'Purchases on website, in apps and in shops, each once: action type omni_purchase, else purchase, else offsite_conversion.fb_pixel_purchase. Counted in the window of each ad set. Actions of other types may be the same purchases: never add them up.',
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
    'People who saw an ad at least once that day, estimated; cannot be added up over rows. Null where Meta does not tell.',
  source: { whole: 'reach', isNullable: true },
};
const actionColumns: ReportColumn[] = [
  {
    name: 'action_type',
    type: 'text',
    description:
      'What people did, in the words of Meta, such as link_click or omni_purchase. Types overlap: choose, never add up.',
    source: { action: 'type' },
  },
  {
    name: 'attribution_window',
    type: 'text',
    description:
      'default (the window of each ad set), or 1d_click, 7d_click, 28d_click, 1d_view. Windows overlap: choose one, never add up.',
    source: { action: 'window' },
  },
  {
    name: 'action_count',
    type: 'double',
    description: 'How often, in this window; may have a fraction.',
    source: { action: 'count' },
  },
  {
    name: 'action_value_micros',
    type: 'bigint',
    description: 'What it was worth, in millionths of the currency; 0 for actions without a value.',
    source: { action: 'value' },
  },
];
const breakdownColumns = {
  age: text('age', 'age', 'Age group, such as 25-34.', 'unknown'),
  gender: text('gender', 'gender', 'The gender: female, male or unknown.', 'unknown'),
  country: text('country', 'country', 'ISO 3166 code of the country where people were.', 'unknown'),
  publisher_platform: text(
    'publisher_platform',
    'publisher_platform',
    'facebook, instagram, audience_network, messenger or threads.',
    'unknown',
  ),
  platform_position: text(
    'platform_position',
    'platform_position',
    'Where on the platform, such as feed or instagram_stories.',
    'unknown',
  ),
};
type Breakdown = keyof typeof breakdownColumns;

const adColumns = [...common, ...campaign, ...adSet, ...ad];
const brokenDown = (name: string, words: string, breakdowns: Breakdown[]): Report =>
  defineReport('ad', [...adColumns, ...breakdowns.map((one) => breakdownColumns[one]), ...numbers], {
    name: `ad_${name}_daily`,
    title: `Ads by day and ${words}`,
    description: `Meta Ads: one row per ad, day and ${words} with delivery. The parts need not add up to the account's total, such as when Meta knows too little of some people.`,
    key: ['ad_id', ...breakdowns],
    breakdowns,
    verification: 'share_of_total',
  });

/** Columns of the unified table that Meta reports; the others are the account's, or filled in by the kit. */
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
