import { fraction, mix } from '../noise.ts';
import type { Account } from './accounts.ts';
import type { Ad, Campaign } from './campaigns.ts';

/**
 * The metrics of one ad on one day, as whole numbers: counts, and money in the smallest unit of the account's currency. Every
 * report sums them, so reports of different levels agree exactly.
 */
export const metric = {
  impressions: 0,
  clicks: 1,
  spend: 2,
  reach: 3,
  linkClicks: 4,
  engagements: 5,
  landingPageViews: 6,
  /** Four values each, in the order of `windows`. */
  addToCart: 7,
  purchases: 11,
  purchaseValue: 15,
} as const;

export const metricCount = 19;
export const windows = ['1d_click', '7d_click', '28d_click', '1d_view'] as const;

export const historyDays = 400;
/** "Insights refresh every 15 minutes and do not change after 28 days of being reported" (Meta, best practices). */
export const settlingDays = 28;
const weekdayFactors = [1.1, 0.96, 0.95, 0.97, 1, 1.02, 1.08];
/** Today's share of a whole day. It is constant, so that two reads on one day agree. */
const todayShare = 0.55;
const invalidClickDays = 4;
/** Share of the purchases in each window, of those within 28 days of the click; the last one: after a view. */
const windowShares = [0.62, 0.85, 1, 0.14];

/** `ageDays` is in whole days of the account's calendar; `revision` counts the restatements of the day. */
export interface Day {
  dayNumber: number;
  ageDays: number;
  revision: number;
}

/** Null if the ad was not shown that day. */
export function adNumbers(account: Account, ad: Ad, day: Day): Float64Array | null {
  const { campaign } = ad;
  if (!hasTraffic(account, campaign, day)) return null;
  const hash = mix(ad.seed, day.dayNumber);
  // Ads have no traffic on some days, and a restatement changes which, so rows are removed and added.
  if (mix(hash, day.revision + 500) % 9 === 0) return null;
  const volume = dailyVolume(campaign, day) * ad.share * (0.7 + 0.6 * fraction(mix(hash, 3 + day.revision)));
  const impressions = Math.floor(volume);
  return impressions === 0 ? null : fill(account, campaign, day, hash, impressions);
}

function hasTraffic(account: Account, campaign: Campaign, day: Day): boolean {
  if (day.ageDays < 0 || day.ageDays > historyDays) return false;
  if (account.silentEveryDays > 0 && day.dayNumber % account.silentEveryDays < 2) return false;
  if (campaign.endedOnDay !== null && day.dayNumber > campaign.endedOnDay) return false;
  if (mix(mix(campaign.seed, day.dayNumber), day.revision + 900) % 15 === 0) return false;
  return (day.dayNumber + (campaign.seed % 90)) % 90 < 90 - campaign.restDays;
}

function dailyVolume(campaign: Campaign, day: Day): number {
  const weekday = weekdayFactors[(day.dayNumber + 4) % 7] ?? 1;
  const season = 1 + 0.2 * Math.sin((day.dayNumber / 365.25) * 2 * Math.PI + campaign.seed);
  return campaign.dailyImpressions * weekday * season * (day.ageDays === 0 ? todayShare : 1);
}

function fill(account: Account, campaign: Campaign, day: Day, hash: number, impressions: number): Float64Array {
  const random = (salt: number): number => fraction(mix(hash, salt));
  const settled = Math.min(impressions, Math.floor(impressions * campaign.clickRate * (0.7 + 0.6 * random(11)) + random(12)));
  // Recent days include clicks that later become invalid. Their cost is then removed.
  const invalidShare = day.ageDays < invalidClickDays ? 0.06 * (1 - day.ageDays / invalidClickDays) : 0;
  const clicks = Math.min(impressions, settled + Math.floor(settled * invalidShare + random(13) * (invalidShare > 0 ? 1 : 0)));
  const unit = account.moneyUnitMicros;
  const linkClicks = Math.floor(clicks * 0.78);
  const numbers = new Float64Array(metricCount);
  numbers[metric.impressions] = impressions;
  numbers[metric.clicks] = clicks;
  // Impressions without clicks have cost too.
  numbers[metric.spend] = Math.round(
    (clicks * campaign.clickPriceMicros * (0.8 + 0.4 * random(14)) + (impressions * campaign.clickPriceMicros) / 400) / unit,
  );
  numbers[metric.reach] = Math.max(1, Math.floor(impressions * (0.55 + 0.3 * random(15))));
  numbers[metric.linkClicks] = linkClicks;
  numbers[metric.engagements] = linkClicks + Math.floor(impressions * 0.004 * random(16));
  numbers[metric.landingPageViews] = Math.floor(linkClicks * 0.8);
  const purchases = settled * campaign.purchaseRate * 2 * random(17) * maturedShare(day.ageDays);
  const orderUnits = (campaign.orderValueMicros * (0.8 + 0.4 * random(18))) / unit;
  windowShares.forEach((share, window) => {
    const count = Math.floor(purchases * share);
    numbers[metric.purchases + window] = count;
    numbers[metric.addToCart + window] = Math.floor(purchases * share * 3.4);
    numbers[metric.purchaseValue + window] = Math.round(count * orderUnits);
  });
  return numbers;
}

/** Conversions are added to the day of the impression for 28 days. Then the day is final. */
function maturedShare(ageDays: number): number {
  return ageDays >= settlingDays ? 1 : 1 - Math.exp((-4 * (ageDays + 0.5)) / settlingDays);
}

export function addNumbers(to: Float64Array, from: Float64Array): void {
  for (let index = 0; index < metricCount; index++) to[index] = (to[index] ?? 0) + (from[index] ?? 0);
}
