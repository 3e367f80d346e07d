import { toDayNumber } from '../clock.ts';
import type { Account } from './accounts.ts';
import { mix, fraction } from '../noise.ts';

export type ChannelType = 'SEARCH' | 'DISPLAY' | 'SHOPPING' | 'VIDEO';
export type EntityStatus = 'ENABLED' | 'PAUSED' | 'REMOVED';

export interface AdGroup {
  id: string;
  name: string;
  status: EntityStatus;
  /** Its share of the campaign's traffic. The shares of a campaign sum to 1. */
  share: number;
}

export interface Campaign {
  id: string;
  name: string;
  status: EntityStatus;
  channelType: ChannelType;
  /** Indexes in `networkNames`. */
  networks: readonly [number, number];
  /** Share of the first network. */
  firstNetworkShare: number;
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

export const networkNames = ['SEARCH', 'SEARCH_PARTNERS', 'CONTENT', 'YOUTUBE'] as const;

const networksOf: Record<ChannelType, { networks: readonly [number, number]; firstShare: number }> = {
  SEARCH: { networks: [0, 1], firstShare: 0.86 },
  SHOPPING: { networks: [0, 1], firstShare: 0.92 },
  DISPLAY: { networks: [2, 3], firstShare: 0.8 },
  VIDEO: { networks: [3, 2], firstShare: 0.9 },
};

interface Template {
  name: string;
  channelType: ChannelType;
  dailyImpressions: number;
  status?: EntityStatus;
  endedOn?: string;
  restDays?: number;
}

// The last campaign is large, so that rows missing at the end of a report have cost. Names contain difficult characters: quotes,
// commas, tabs, backslashes, other scripts, an emoji.
const templates: Template[] = [
  { name: 'Brand, exact', channelType: 'SEARCH', dailyImpressions: 4_200 },
  { name: 'Tiny test, Île-de-France', channelType: 'SEARCH', dailyImpressions: 38 },
  { name: 'Generic "outdoor" | broad', channelType: 'SEARCH', dailyImpressions: 18_500 },
  { name: 'Clearance 2025', channelType: 'DISPLAY', dailyImpressions: 9_800, status: 'REMOVED', endedOn: '2026-06-30' },
  { name: 'Shopping\tall products', channelType: 'SHOPPING', dailyImpressions: 26_000 },
  { name: "Men's jackets – Größe & Länge", channelType: 'SEARCH', dailyImpressions: 6_100, restDays: 21 },
  { name: '春のセール 🚲', channelType: 'DISPLAY', dailyImpressions: 42_000, restDays: 35 },
  { name: 'Launch film; 15 s \\ 30 s', channelType: 'VIDEO', dailyImpressions: 31_000 },
];
const adGroupNames = ['Core', 'Ergänzung, "lang"', 'テスト\tB'];
const adGroupShares = [0.55, 0.3, 0.15];

const cache = new Map<string, Campaign[]>();

export function campaignsOf(account: Account): Campaign[] {
  const known = cache.get(account.id);
  if (known) return known;
  const campaigns = Array.from({ length: account.campaignCount }, (_, index) => makeCampaign(account, index));
  cache.set(account.id, campaigns);
  return campaigns;
}

function makeCampaign(account: Account, index: number): Campaign {
  const template = templates[index % templates.length] as Template;
  const isFirstRound = index < templates.length;
  const seed = mix(account.seed, index + 1);
  const id = (Number(account.id) % 100_000_000) * 1_000 + index + 1;
  const network = networksOf[template.channelType];
  const isSearch = template.channelType === 'SEARCH' || template.channelType === 'SHOPPING';
  return {
    id: String(id),
    name: isFirstRound ? template.name : `${template.name} ${index + 1}`,
    status: template.status ?? 'ENABLED',
    channelType: template.channelType,
    networks: network.networks,
    firstNetworkShare: network.firstShare,
    adGroups: adGroupNames.map((name, position) => makeAdGroup(id, name, position)),
    seed,
    dailyImpressions: template.dailyImpressions * (0.6 + fraction(mix(seed, 2))),
    clickRate: isSearch ? 0.045 : 0.008,
    clickPriceMicros: Math.round((isSearch ? 620_000 : 210_000) * account.priceLevel * (0.7 + fraction(mix(seed, 3)) * 0.8)),
    conversionRate: isSearch ? 0.034 : 0.009,
    orderValueMicros: Math.round(48_000_000 * account.priceLevel * (0.6 + fraction(mix(seed, 4)))),
    endedOnDay: template.endedOn ? toDayNumber(template.endedOn) : null,
    restDays: template.restDays ?? 0,
  };
}

function makeAdGroup(campaignId: number, name: string, position: number): AdGroup {
  return {
    id: String(campaignId * 10 + position + 1),
    name,
    status: position === 2 ? 'PAUSED' : 'ENABLED',
    share: adGroupShares[position] as number,
  };
}
