import { attributes, measures } from './columns.ts';
import type { Leaf } from './numbers.ts';

export interface ReportType {
  /** Requestable columns. */
  columns: ReadonlySet<string>;
  required: string[];
  /** Attributes that cannot be combined with impression share. */
  exclusive: string[];
  /** Selects the parts that are in the report. */
  includes: (leaf: Leaf) => boolean;
  isByGoal: boolean;
}

const account = ['TimePeriod', 'AccountId', 'AccountName', 'AccountNumber', 'AccountStatus'];
const campaign = [...account, 'CampaignId', 'CampaignName', 'CampaignStatus'];
const adGroup = [...campaign, 'AdGroupId', 'AdGroupName'];
const device = ['DeviceType', 'DeviceOS'];
const delivery = ['Network', 'TopVsOther', 'BidMatchType', 'DeliveredMatchType', ...device];
const base = ['Impressions', 'Clicks', 'Spend', 'Ctr', 'AverageCpc', 'Conversions', 'Revenue', 'Assists'];
const conversions = ['ConversionsQualified', 'AllConversions', 'AllConversionsQualified', 'AllRevenue'];
const viewThrough = ['ViewThroughConversions', 'ViewThroughConversionsQualified'];
const shares = Object.keys(measures).filter((name) => measures[name]?.isImpressionShare);
const full = [...base, ...conversions, ...viewThrough];
const rate = ['AbsoluteTopImpressionRatePercent'];
const exclusive = ['BidMatchType', 'DeviceOS', 'TopVsOther'];

/** Search reports contain only search campaigns. A query is listed only if it was clicked. */
const hasKeyword = ({ adGroup: { keywords } }: Leaf): boolean => keywords.length > 0;
const isTold = (leaf: Leaf): boolean => hasKeyword(leaf) && leaf.metrics.clicks > 0;

/** By the name before `ReportRequest`. */
const reportTypes: Record<string, ReportType> = {
  AccountPerformance: define([...account, 'CurrencyCode', 'CustomerId', 'CustomerName', ...delivery, ...full, ...shares], {
    exclusive,
  }),
  CampaignPerformance: define(
    [...campaign, 'CurrencyCode', 'CustomerId', 'CustomerName', 'CampaignType', 'BudgetName', ...delivery, ...full, ...shares],
    { exclusive: [...exclusive, 'BudgetName'] },
  ),
  AdGroupPerformance: define(
    [...adGroup, 'Status', 'CurrencyCode', 'CustomerId', 'CustomerName', 'CampaignType', ...delivery, ...full, ...shares],
    { exclusive },
  ),
  AdPerformance: define([
    ...[...adGroup, 'AdGroupStatus', 'AdId', 'AdTitle', 'TitlePart1', 'AdType', 'AdStatus', 'FinalUrl'],
    ...['CurrencyCode', 'CustomerId', 'CustomerName', 'CampaignType', ...delivery, ...full, ...rate],
  ]),
  KeywordPerformance: define(
    [
      ...[...adGroup, 'AdGroupStatus', 'KeywordId', 'Keyword', 'KeywordStatus', 'AdId', 'AdType', 'FinalUrl'],
      ...['CurrencyCode', ...delivery, ...full, ...rate],
    ],
    { includes: hasKeyword },
  ),
  SearchQueryPerformance: define(
    [
      ...[...adGroup, 'AdGroupStatus', 'AdId', 'AdType', 'AdStatus', 'KeywordId', 'Keyword', 'KeywordStatus', 'SearchQuery'],
      ...['CampaignType', 'CustomerId', 'CustomerName', ...delivery, ...base, ...conversions, ...rate],
    ],
    { includes: isTold, required: ['SearchQuery', 'TimePeriod'] },
  ),
  GeographicPerformance: define([
    ...[...adGroup, 'AdGroupStatus', 'CampaignType', 'CurrencyCode', 'Country', 'State', 'City', 'LocationId', 'LocationType'],
    ...[...delivery, ...full, ...rate],
  ]),
  GoalsAndFunnels: define(
    [
      ...[...adGroup, 'AdGroupStatus', 'KeywordId', 'Keyword', 'KeywordStatus', 'CampaignType', 'Goal', 'GoalId', 'GoalType'],
      ...[...device, 'AllConversions', 'AllConversionsQualified', 'AllRevenue', 'Assists', ...viewThrough],
    ],
    { required: ['Goal', 'TimePeriod'], isByGoal: true },
  ),
};

function define(columns: string[], options: Partial<ReportType> = {}): ReportType {
  return {
    columns: new Set(columns),
    required: ['TimePeriod'],
    exclusive: [],
    includes: () => true,
    isByGoal: false,
    ...options,
  };
}

export function findReportType(name: string): ReportType | undefined {
  return Object.hasOwn(reportTypes, name) ? reportTypes[name] : undefined;
}

export function isAttribute(column: string): boolean {
  return Object.hasOwn(attributes, column);
}
