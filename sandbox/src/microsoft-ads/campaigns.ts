import { toDayNumber } from '../clock.ts';
import { fraction, mix } from '../noise.ts';
import type { Account } from './accounts.ts';

export type CampaignType = 'Search & content' | 'Shopping' | 'Audience' | 'Performance max';
export type Status = 'Active' | 'Paused' | 'Deleted';

export interface Ad {
  id: string;
  title: string;
  status: Status;
}

export interface Keyword {
  id: string;
  text: string;
  matchType: 'Broad' | 'Exact' | 'Phrase';
  status: Status;
}

export interface AdGroup {
  id: string;
  name: string;
  status: Status;
  share: number;
  ads: Ad[];
  /** Empty in campaigns without search. */
  keywords: Keyword[];
}

export interface Campaign {
  id: string;
  name: string;
  status: Status;
  type: CampaignType;
  networks: readonly [string, string];
  adGroups: AdGroup[];
  seed: number;
  dailyImpressions: number;
  clickRate: number;
  clickPriceMicros: number;
  conversionRate: number;
  orderValueMicros: number;
  /** The last active day; null: still active. */
  endedOnDay: number | null;
  /** Paused for the last `restDays` of every 90-day cycle. */
  restDays: number;
}

const searchNetworks = ['Microsoft sites and select traffic', 'Syndicated search partners'] as const;
const audienceNetworks = ['Audience', 'Content'] as const;

interface Template {
  name: string;
  type: CampaignType;
  dailyImpressions: number;
  status?: Status;
  endedOn?: string;
  restDays?: number;
}

// Names contain difficult CSV content: quotes, commas, line breaks, tabs, other scripts, spreadsheet formulas, and the two dashes
// that elsewhere mean "no value".
const templates: Template[] = [
  { name: 'Brand, "exact"', type: 'Search & content', dailyImpressions: 3_100 },
  { name: 'Tiny test\r\nÎle-de-France', type: 'Search & content', dailyImpressions: 24 },
  { name: "=Men's jackets – Größe & Länge", type: 'Search & content', dailyImpressions: 7_400, restDays: 21 },
  { name: '--', type: 'Audience', dailyImpressions: 8_200, status: 'Deleted', endedOn: '2026-06-30' },
  { name: '春のセール\t🚲', type: 'Performance max', dailyImpressions: 26_000, restDays: 35 },
  { name: 'Shopping; all \\ products', type: 'Shopping', dailyImpressions: 21_000 },
];
const adGroupNames = ['Core', 'Ergänzung, "lang"'];
const adGroupShares = [0.62, 0.38];
const keywordTexts = ['rain jacket', '"rain jacket" men', '雨具'];
const matchTypes = ['Exact', 'Phrase', 'Broad'] as const;

const cache = new Map<string, Campaign[]>();

export function campaignsOf(account: Account): Campaign[] {
  const known = cache.get(account.id);
  if (known) return known;
  const campaigns = templates.slice(0, account.campaignCount).map((template, index) => makeCampaign(account, template, index));
  cache.set(account.id, campaigns);
  return campaigns;
}

function makeCampaign(account: Account, template: Template, index: number): Campaign {
  const seed = mix(account.seed, index + 1);
  const id = (Number(account.id) % 1_000_000) * 100 + index + 1;
  const isSearch = template.type === 'Search & content' || template.type === 'Shopping';
  return {
    id: String(id),
    name: template.name,
    status: template.status ?? 'Active',
    type: template.type,
    networks: isSearch ? searchNetworks : audienceNetworks,
    adGroups: adGroupNames.map((name, position) => makeAdGroup(id, name, position, template.type)),
    seed,
    dailyImpressions: template.dailyImpressions * (0.6 + fraction(mix(seed, 2))),
    clickRate: isSearch ? 0.051 : 0.011,
    clickPriceMicros: Math.round((isSearch ? 710_000 : 180_000) * account.priceLevel * (0.7 + fraction(mix(seed, 3)) * 0.8)),
    conversionRate: isSearch ? 0.041 : 0.012,
    orderValueMicros: Math.round(52_000_000 * account.priceLevel * (0.6 + fraction(mix(seed, 4)))),
    endedOnDay: template.endedOn ? toDayNumber(template.endedOn) : null,
    restDays: template.restDays ?? 0,
  };
}

function makeAdGroup(campaignId: number, name: string, position: number, type: CampaignType): AdGroup {
  // Ids of ads and keywords exceed 2^53, the limit of exact JavaScript numbers, so they are text.
  const id = 1_340_000_000_000_000n + BigInt(campaignId) * 10n + BigInt(position + 1);
  const status = position === 1 ? 'Paused' : 'Active';
  return {
    id: String(id),
    name,
    status,
    share: adGroupShares[position] ?? 0,
    ads: [1n, 2n].map((ad) => ({ id: String(84_000_000_000_000n + id * 10n + ad), title: `Ad ${ad}, "${name}"`, status })),
    keywords: type === 'Search & content' ? keywordTexts.map((text, index) => makeKeyword(id, text, index)) : [],
  };
}

function makeKeyword(adGroupId: bigint, text: string, index: number): Keyword {
  return {
    id: String(77_000_000_000_000n + adGroupId * 10n + BigInt(index)),
    text,
    matchType: matchTypes[index] ?? 'Broad',
    status: 'Active',
  };
}
