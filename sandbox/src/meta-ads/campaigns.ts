import { toDayNumber } from '../clock.ts';
import { fraction, mix } from '../noise.ts';
import type { Account } from './accounts.ts';

export type Status = 'ACTIVE' | 'PAUSED' | 'ARCHIVED' | 'DELETED' | 'CAMPAIGN_PAUSED';
export type Kind = 'campaign' | 'adset' | 'ad';

/** Values of `effective_status`, by object. Source: EffectiveStatus of Campaign, AdSet and Ad in facebook-nodejs-business-sdk 24.0.1. */
const campaignStatuses = ['ACTIVE', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'PAUSED', 'WITH_ISSUES'];
const adSetStatuses = [...campaignStatuses, 'CAMPAIGN_PAUSED'];
export const effectiveStatuses: Record<Kind, readonly string[]> = {
  campaign: campaignStatuses,
  adset: adSetStatuses,
  ad: [...adSetStatuses, 'ADSET_PAUSED', 'DISAPPROVED', 'PENDING_BILLING_INFO', 'PENDING_REVIEW', 'PREAPPROVED'],
};

export interface Ad {
  id: string;
  name: string;
  effectiveStatus: Status;
  campaign: Campaign;
  adSet: AdSet;
  /** Its share of the campaign's traffic. The shares of a campaign sum to 1. */
  share: number;
  seed: number;
}

export interface AdSet {
  id: string;
  name: string;
  effectiveStatus: Status;
}

export interface Campaign {
  id: string;
  name: string;
  effectiveStatus: Status;
  objective: string;
  ads: Ad[];
  seed: number;
  dailyImpressions: number;
  clickRate: number;
  clickPriceMicros: number;
  /** Purchases per click. */
  purchaseRate: number;
  orderValueMicros: number;
  /** The last active day; null: still active. */
  endedOnDay: number | null;
  /** Paused for the last `restDays` of every 90-day cycle. */
  restDays: number;
}

interface Template {
  name: string;
  objective: string;
  dailyImpressions: number;
  status?: Status;
  endedOn?: string;
  restDays?: number;
}

// Names contain difficult characters: quotes, commas, tabs, backslashes, other scripts, an emoji.
const templates: Template[] = [
  { name: 'Prospecting | broad', objective: 'OUTCOME_SALES', dailyImpressions: 21_000 },
  { name: 'Retargeting, "14 days"', objective: 'OUTCOME_SALES', dailyImpressions: 6_400 },
  { name: 'Advantage+ shopping\tcatalogue', objective: 'OUTCOME_SALES', dailyImpressions: 33_000 },
  { name: 'Clearance 2025', objective: 'OUTCOME_SALES', dailyImpressions: 9_100, status: 'ARCHIVED', endedOn: '2026-07-31' },
  { name: 'Größe & Länge – Männer', objective: 'OUTCOME_TRAFFIC', dailyImpressions: 11_500, restDays: 21 },
  { name: '春のセール 🚲', objective: 'OUTCOME_AWARENESS', dailyImpressions: 47_000, restDays: 35 },
  { name: 'Tiny test, Île-de-France', objective: 'OUTCOME_LEADS', dailyImpressions: 60 },
  { name: 'Old look-alikes', objective: 'OUTCOME_SALES', dailyImpressions: 3_300, status: 'DELETED', endedOn: '2026-09-30' },
  { name: 'Launch film; 15 s \\ 30 s', objective: 'OUTCOME_AWARENESS', dailyImpressions: 38_000, status: 'PAUSED', restDays: 40 },
  { name: 'Autumn collection', objective: 'OUTCOME_SALES', dailyImpressions: 26_000 },
];
const adSetNames = ['Women 25-54', 'Ergänzung, "lang"'];
const adNames = ['Carousel A', 'Video\tB'];
/** By index in the campaign: two ad sets with two ads each. */
const adShares = [0.45, 0.2, 0.25, 0.1];

const cache = new Map<string, Campaign[]>();

export function campaignsOf(account: Account): Campaign[] {
  let campaigns = cache.get(account.id);
  if (!campaigns) cache.set(account.id, (campaigns = templates.map((template, index) => makeCampaign(account, template, index))));
  return campaigns;
}

function makeCampaign(account: Account, template: Template, index: number): Campaign {
  const seed = mix(account.seed, index + 101);
  const isSales = template.objective === 'OUTCOME_SALES';
  const campaign: Campaign = {
    id: idOf(account, 1, index),
    name: template.name,
    effectiveStatus: template.status ?? 'ACTIVE',
    objective: template.objective,
    ads: [],
    seed,
    dailyImpressions: template.dailyImpressions * (0.6 + fraction(mix(seed, 2))),
    clickRate: isSales ? 0.016 : 0.009,
    clickPriceMicros: Math.round((isSales ? 540_000 : 260_000) * account.priceLevel * (0.7 + fraction(mix(seed, 3)) * 0.8)),
    purchaseRate: isSales ? 0.038 : 0.008,
    orderValueMicros: Math.round(52_000_000 * account.priceLevel * (0.6 + fraction(mix(seed, 4)))),
    endedOnDay: template.endedOn ? toDayNumber(template.endedOn) : null,
    restDays: template.restDays ?? 0,
  };
  const adSets = adSetNames.map((name, position) => ({
    id: idOf(account, 2, index * 2 + position),
    name,
    effectiveStatus: below(campaign.effectiveStatus),
  }));
  campaign.ads = adShares.map((share, position) =>
    makeAd(account, campaign, adSets[Math.floor(position / 2)] as AdSet, share, index * 4 + position),
  );
  return campaign;
}

function makeAd(account: Account, campaign: Campaign, adSet: AdSet, share: number, index: number): Ad {
  const isLast = index % 4 === 3;
  return {
    id: idOf(account, 3, index),
    name: adNames[index % 2] as string,
    // Some ads are paused in active campaigns.
    effectiveStatus: isLast && campaign.effectiveStatus === 'ACTIVE' ? 'PAUSED' : below(campaign.effectiveStatus),
    campaign,
    adSet,
    share,
    seed: mix(account.seed, index + 1_001),
  };
}

/** Objects below a paused campaign have their own status for it; below an archived or deleted one they have the same. */
const below = (status: Status): Status => (status === 'PAUSED' ? 'CAMPAIGN_PAUSED' : status);

/** Seventeen digits, more than a JavaScript number stores exactly, so ids are text. */
function idOf(account: Account, kind: number, index: number): string {
  return `120${kind}${account.id.slice(-4)}${String(90_000_001 + index * 7)}1`;
}
