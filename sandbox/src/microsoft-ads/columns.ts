import type { Account } from './accounts.ts';
import { customerNames } from './accounts.ts';
import { goalsOf } from './goals.ts';
import { deviceTypes, type Leaf, type Metrics } from './numbers.ts';

/** The entity of a report row. `goal` is set only in reports by goal. */
export interface Subject {
  account: Account;
  date: string;
  leaf: Leaf;
  goal: number | null;
}

interface Place {
  id: string;
  country: string;
  state: string;
  city: string;
}

const places: readonly [Place, ...Place[]] = [
  { id: '', country: 'Germany', state: '', city: '' },
  { id: '72043', country: 'Germany', state: 'Berlin', city: 'Berlin, Mitte' },
  { id: '71208', country: 'United States', state: 'New York', city: 'New York' },
  { id: '96', country: 'Japan', state: 'Tokyo', city: '東京' },
  { id: '188', country: 'United Kingdom', state: '', city: '' },
];

const queries = ['rain jacket', 'rain jacket "size L", men', 'waterproof jacket', '雨具 通販', 'jacket\tcheap'];

const placeOf = ({ leaf }: Subject) => places[(leaf.branch * 2 + leaf.device) % places.length] ?? places[0];
const adOf = ({ leaf }: Subject) => leaf.adGroup.ads[leaf.branch % leaf.adGroup.ads.length];
const keywordOf = ({ leaf }: Subject) => leaf.adGroup.keywords[leaf.branch];
const goalOf = ({ account, goal }: Subject) => (goal === null ? undefined : goalsOf(account)[goal]);
const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

/** Columns that split a report's metrics. */
export const attributes: Record<string, (subject: Subject) => string> = {
  TimePeriod: ({ date }) => date,
  AccountId: ({ account }) => account.id,
  AccountName: ({ account }) => account.name,
  AccountNumber: ({ account }) => account.number,
  AccountStatus: ({ account }) => account.lifeCycleStatus,
  CustomerId: ({ account }) => account.customerId,
  CustomerName: ({ account }) => customerNames[account.customerId] ?? '',
  CurrencyCode: ({ account }) => account.currencyCode,
  CampaignId: ({ leaf }) => leaf.campaign.id,
  CampaignName: ({ leaf }) => leaf.campaign.name,
  CampaignStatus: ({ leaf }) => leaf.campaign.status,
  CampaignType: ({ leaf }) => leaf.campaign.type,
  BudgetName: ({ leaf }) => (leaf.campaign.type === 'Shopping' ? 'Shared' : ''),
  AdGroupId: ({ leaf }) => leaf.adGroup.id,
  AdGroupName: ({ leaf }) => leaf.adGroup.name,
  AdGroupStatus: ({ leaf }) => leaf.adGroup.status,
  Status: ({ leaf }) => leaf.adGroup.status,
  AdId: (subject) => adOf(subject)?.id ?? '',
  AdTitle: (subject) => adOf(subject)?.title ?? '',
  TitlePart1: (subject) => adOf(subject)?.title ?? '',
  AdType: ({ leaf }) => (leaf.campaign.type === 'Audience' ? 'Responsive ad' : 'Responsive search ad'),
  AdStatus: (subject) => adOf(subject)?.status ?? '',
  FinalUrl: ({ leaf }) => `https://northwind.example/${leaf.campaign.id}?q=a,b`,
  KeywordId: (subject) => keywordOf(subject)?.id ?? '',
  Keyword: (subject) => keywordOf(subject)?.text ?? '',
  KeywordStatus: (subject) => keywordOf(subject)?.status ?? '',
  BidMatchType: (subject) => keywordOf(subject)?.matchType ?? 'Unknown',
  DeliveredMatchType: (subject) => (subject.leaf.device === 1 ? 'Exact' : (keywordOf(subject)?.matchType ?? 'Unknown')),
  SearchQuery: ({ leaf }) => queries[(leaf.branch + leaf.device) % queries.length] ?? '',
  DeviceType: ({ leaf }) => deviceTypes[leaf.device] ?? 'Unknown',
  DeviceOS: ({ leaf }) => (leaf.device === 1 ? 'Windows' : 'Unknown'),
  Network: ({ leaf }) => leaf.campaign.networks[leaf.network] ?? 'Unknown',
  TopVsOther: ({ leaf }) => (leaf.network === 0 ? 'Bing and Yahoo! search - Top' : 'Syndicated search partners - Other'),
  Country: (subject) => placeOf(subject).country,
  State: (subject) => placeOf(subject).state,
  City: (subject) => placeOf(subject).city,
  LocationId: (subject) => placeOf(subject).id,
  LocationType: ({ leaf }) => (leaf.device === 2 ? 'Location of interest' : 'Physical location'),
  Goal: (subject) => goalOf(subject)?.name ?? '',
  GoalId: (subject) => goalOf(subject)?.id ?? '',
  GoalType: (subject) => goalOf(subject)?.type ?? '',
};

type Format = '1.0' | '2.0';
interface Measure {
  text: (metrics: Metrics, format: Format) => string;
  /** Cannot be combined with certain attributes. */
  isImpressionShare?: true;
}

const money = (micros: number): string => (micros / 1_000_000).toFixed(2);
const hundredths = (value: number): string => (value / 100).toFixed(2);
const allHundredths = (metrics: Metrics): number => metrics.purchaseHundredths + metrics.signUpHundredths;
/** Format 1.0 uses thousands separators in some columns, including Revenue. */
const grouped = (text: string, format: Format): string => (format === '1.0' ? text.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : text);
/** Two dashes stand for values that Microsoft has not computed. */
const share = (metrics: Metrics, value: number, format: Format): string => {
  if (metrics.impressions < 50) return '--';
  return format === '1.0' ? `${Math.round(value * 100)}%` : percent(value);
};

/** Columns that are summed. */
export const measures: Record<string, Measure> = {
  Impressions: { text: (metrics) => String(metrics.impressions) },
  Clicks: { text: (metrics) => String(metrics.clicks) },
  Spend: { text: (metrics) => money(metrics.spendMicros) },
  Ctr: { text: (metrics) => (metrics.impressions === 0 ? '--' : percent(metrics.clicks / metrics.impressions)) },
  AverageCpc: { text: (metrics) => (metrics.clicks === 0 ? '0.00' : money(metrics.spendMicros / metrics.clicks)) },
  Conversions: { text: (metrics) => String(Math.floor(metrics.purchaseHundredths / 100)) },
  ConversionsQualified: { text: (metrics) => hundredths(metrics.purchaseHundredths) },
  AllConversions: { text: (metrics) => String(Math.floor(allHundredths(metrics) / 100)) },
  AllConversionsQualified: { text: (metrics) => hundredths(allHundredths(metrics)) },
  Revenue: { text: (metrics, format) => grouped(money(metrics.purchaseRevenueMicros), format) },
  AllRevenue: { text: (metrics, format) => grouped(money(metrics.purchaseRevenueMicros), format) },
  ViewThroughConversions: { text: (metrics) => String(Math.floor(metrics.viewThroughHundredths / 100)) },
  ViewThroughConversionsQualified: {
    text: (metrics) => (metrics.viewThroughHundredths === 0 ? '' : hundredths(metrics.viewThroughHundredths)),
  },
  Assists: { text: (metrics, format) => grouped(String(metrics.assists), format) },
  ImpressionSharePercent: { text: (metrics, format) => share(metrics, 0.4321, format), isImpressionShare: true },
  ImpressionLostToBudgetPercent: { text: (metrics, format) => share(metrics, 0.0716, format), isImpressionShare: true },
  AbsoluteTopImpressionRatePercent: { text: (metrics, format) => share(metrics, 0.305, format), isImpressionShare: true },
};
