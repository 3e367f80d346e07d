import { fraction, mix } from '../noise.ts';
import type { Account } from './accounts.ts';
import type { AdGroup, Campaign } from './campaigns.ts';

/**
 * The metrics of one campaign on one day, split into the finest parts that any report needs. Every report sums these parts, so
 * reports of different detail agree exactly. All values are whole numbers: micros of money, hundredths of conversions.
 */
export interface Metrics {
  impressions: number;
  clicks: number;
  spendMicros: number;
  /** Conversions of the goal that bidding uses. */
  purchaseHundredths: number;
  purchaseRevenueMicros: number;
  /** Conversions of the goal that counts only among "all". */
  signUpHundredths: number;
  viewThroughHundredths: number;
  assists: number;
}

export interface Leaf {
  campaign: Campaign;
  adGroup: AdGroup;
  /** Indexes of keyword, ad, query and place in their lists, modulo the length. */
  branch: number;
  device: number;
  network: number;
  metrics: Metrics;
}

/** `ageDays` is in whole days of the account's calendar; `revision` counts the restatements of the day. */
export interface Day {
  dayNumber: number;
  ageDays: number;
  revision: number;
}

export const deviceTypes = ['Smartphone', 'Computer', 'Tablet'] as const;
export const historyDays = 400;
/** The parts of one ad group, with their shares of its traffic. */
const networks = [0.84, 0.16];
const cells = [0.5, 0.3, 0.2]
  .flatMap((branchShare, branch) =>
    [0.49, 0.45, 0.06].flatMap((deviceShare, device) =>
      networks.map((networkShare, network) => ({ branch, device, network, share: branchShare * deviceShare * networkShare })),
    ),
  )
  .map((cell, position) => ({ ...cell, position }));
const weekdayFactors = [0.78, 1.06, 1.09, 1.07, 1.05, 0.98, 0.76];
/** Today's share of a whole day. It is constant, so that two reads on one day agree. */
const todayShare = 0.5;
/** Microsoft refunds invalid clicks for "a week or more". */
const invalidClickDays = 7;

export function* leavesOf(account: Account, campaign: Campaign, day: Day): Generator<Leaf> {
  if (!hasTraffic(account, campaign, day)) return;
  const dayHash = mix(campaign.seed, day.dayNumber);
  const volume = dailyVolume(campaign, day, dayHash);
  for (const [adGroupIndex, adGroup] of campaign.adGroups.entries()) {
    for (const { branch, device, network, share, position } of cells) {
      const hash = mix(dayHash, adGroupIndex * cells.length + position + 1);
      const leafVolume = isVacant(day, dayHash, device, network) ? 0 : volume * adGroup.share * share;
      yield { campaign, adGroup, branch, device, network, metrics: leafMetrics(account, campaign, day, hash, leafVolume) };
    }
  }
}

/** On some days a device has no traffic in a network, and a restatement changes which, so rows are removed and added. */
function isVacant(day: Day, dayHash: number, device: number, network: number): boolean {
  return mix(dayHash, day.revision * 17 + device * networks.length + network + 1_000) % 9 === 0;
}

function hasTraffic(account: Account, campaign: Campaign, day: Day): boolean {
  if (day.ageDays < 0 || day.ageDays > historyDays) return false;
  if (account.silentEveryDays > 0 && day.dayNumber % account.silentEveryDays < 2) return false;
  if (campaign.endedOnDay !== null && day.dayNumber > campaign.endedOnDay) return false;
  return (day.dayNumber + (campaign.seed % 90)) % 90 < 90 - campaign.restDays;
}

function dailyVolume(campaign: Campaign, day: Day, dayHash: number): number {
  const weekday = weekdayFactors[(day.dayNumber + 4) % 7] ?? 1;
  const season = 1 + 0.16 * Math.sin((day.dayNumber / 365.25) * 2 * Math.PI + campaign.seed);
  const restated = day.revision === 0 ? 1 : 0.94 + 0.12 * fraction(mix(dayHash, day.revision));
  const shown = day.ageDays === 0 ? todayShare : 1;
  return campaign.dailyImpressions * weekday * season * restated * shown * (0.88 + 0.24 * fraction(dayHash));
}

function leafMetrics(account: Account, campaign: Campaign, day: Day, hash: number, volume: number): Metrics {
  const [first, second, third, fourth] = [1, 2, 3, 4].map((part) => fraction(mix(hash, part))) as [
    number,
    number,
    number,
    number,
  ];
  const impressions = volume === 0 ? 0 : Math.floor(volume * (0.75 + 0.5 * first) + second);
  const lasting = Math.min(impressions, Math.floor(impressions * campaign.clickRate * (0.7 + 0.6 * third) + fourth));
  const clicks = Math.min(impressions, lasting + invalidClicks(lasting, day.ageDays, first));
  const price = Math.max(1, Math.round((campaign.clickPriceMicros * (0.8 + 0.4 * second)) / account.moneyUnitMicros));
  const matured = maturedShare(day.ageDays, account.conversionWindowMinutes);
  const conversions = lateConversions(hash, volume) + Math.floor(lasting * campaign.conversionRate * 200 * fourth);
  const purchaseHundredths = Math.floor(conversions * matured);
  const value = (campaign.orderValueMicros * (0.8 + 0.4 * third)) / 100;
  return {
    impressions,
    clicks,
    spendMicros: clicks * price * account.moneyUnitMicros,
    purchaseHundredths,
    purchaseRevenueMicros: Math.round((purchaseHundredths * value) / account.moneyUnitMicros) * account.moneyUnitMicros,
    signUpHundredths: Math.floor(conversions * matured * 0.4),
    viewThroughHundredths: campaign.type === 'Audience' ? Math.floor(impressions * 0.05 * matured) : 0,
    assists: Math.floor(purchaseHundredths / 300),
  };
}

/** Conversions without impressions on that day are possible, so rows with zero impressions are normal. */
function lateConversions(hash: number, volume: number): number {
  return volume === 0 && hash % 8 === 0 ? 100 : 0;
}

/** Recent days include clicks that later become invalid. Their cost is then removed. */
function invalidClicks(clicks: number, ageDays: number, noise: number): number {
  if (ageDays >= invalidClickDays) return 0;
  const share = 0.06 * (1 - ageDays / invalidClickDays);
  return Math.floor(clicks * share + noise * share * 8);
}

/** Conversions are added to the day of the click until the goal's window ends. Then the day is final. */
function maturedShare(ageDays: number, windowMinutes: number): number {
  const windowDays = windowMinutes / 1_440;
  return ageDays >= windowDays ? 1 : 1 - Math.exp((-4 * (ageDays + 0.5)) / windowDays);
}
