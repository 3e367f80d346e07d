import type { Account } from './accounts.ts';
import type { Campaign } from './campaigns.ts';
import { fraction, mix } from '../noise.ts';

/**
 * The metrics of one campaign on one day, as a grid of ad group × device × network. Every report sums cells of this grid, so
 * reports of different detail agree exactly. All values are whole numbers: micros and hundredths.
 */
export const metricNames = [
  'metrics.impressions',
  'metrics.clicks',
  'metrics.cost_micros',
  'metrics.conversions',
  'metrics.conversions_value',
  'metrics.all_conversions',
  'metrics.all_conversions_value',
  'metrics.view_through_conversions',
] as const;

export const metricCount = metricNames.length;
/** Divisor of a stored whole number: conversions are stored in hundredths, values in micros. */
export const metricDivisors = [1, 1, 1, 100, 1_000_000, 100, 1_000_000, 1] as const;

export const devices = ['MOBILE', 'DESKTOP', 'TABLET'] as const;
export const adGroupCount = 3;
export const networkCount = 2;
export const cellCount = adGroupCount * devices.length * networkCount;

export const historyDays = 400;
const deviceShares = [0.61, 0.32, 0.07];
const weekdayFactors = [0.82, 1.04, 1.07, 1.06, 1.03, 0.98, 0.8];
/** Today's share of a whole day. It is constant, so that two reads on one day agree. */
const todayShare = 0.55;
const invalidClickDays = 4;

export function newGrid(): Float64Array {
  return new Float64Array(cellCount * metricCount);
}

/** Adds one set of metrics to another. */
export function addMetrics(to: Float64Array, toOffset: number, from: Float64Array, fromOffset: number): void {
  for (let metric = 0; metric < metricCount; metric++) {
    to[toOffset + metric] = (to[toOffset + metric] ?? 0) + (from[fromOffset + metric] ?? 0);
  }
}

/** `ageDays` is in whole days of the account's calendar; `revision` counts the restatements of the day. */
export interface Day {
  dayNumber: number;
  ageDays: number;
  revision: number;
}

/** Fills the grid. Returns false if the campaign did not run that day; the grid is then unchanged. */
export function fillGrid(grid: Float64Array, account: Account, campaign: Campaign, day: Day): boolean {
  if (!hasTraffic(account, campaign, day)) return false;
  const dayHash = mix(campaign.seed, day.dayNumber);
  const volume = dailyVolume(campaign, day, dayHash);
  const matured = {
    clicks: maturedShare(day.ageDays, account.lookbackDays),
    views: maturedShare(day.ageDays, account.viewDays),
  };
  let offset = 0;
  for (let adGroup = 0; adGroup < adGroupCount; adGroup++) {
    const adGroupVolume = volume * (campaign.adGroups[adGroup]?.share ?? 0);
    for (let device = 0; device < devices.length; device++) {
      // Whole device columns are empty on some days, and a restatement changes which, so rows are removed and added.
      const isVacant = mix(dayHash, day.revision * 3 + device + 1_000) % 11 === 0;
      const deviceVolume = isVacant ? 0 : adGroupVolume * (deviceShares[device] ?? 0);
      for (let network = 0; network < networkCount; network++) {
        const share = network === 0 ? campaign.firstNetworkShare : 1 - campaign.firstNetworkShare;
        fillCell(grid, offset, account, campaign, day, mix(dayHash, offset + 1), deviceVolume * share, matured);
        offset += metricCount;
      }
    }
  }
  return true;
}

function hasTraffic(account: Account, campaign: Campaign, day: Day): boolean {
  if (day.ageDays < 0 || day.ageDays > historyDays) return false;
  if (account.silentEveryDays > 0 && day.dayNumber % account.silentEveryDays < 2) return false;
  if (campaign.endedOnDay !== null && day.dayNumber > campaign.endedOnDay) return false;
  return (day.dayNumber + (campaign.seed % 90)) % 90 < 90 - campaign.restDays;
}

function dailyVolume(campaign: Campaign, day: Day, dayHash: number): number {
  const weekday = weekdayFactors[(day.dayNumber + 4) % 7] ?? 1;
  const season = 1 + 0.18 * Math.sin((day.dayNumber / 365.25) * 2 * Math.PI + campaign.seed);
  const trend = 1 + 0.15 * Math.sin(day.dayNumber / 97 + (campaign.seed % 13));
  const restated = day.revision === 0 ? 1 : 0.95 + 0.1 * fraction(mix(dayHash, day.revision));
  const shown = day.ageDays === 0 ? todayShare : 1;
  return campaign.dailyImpressions * weekday * season * trend * restated * shown * (0.88 + 0.24 * fraction(dayHash));
}

/** Conversions are added to the day of the click or view until the conversion window ends. Then they are final. */
function maturedShare(ageDays: number, windowDays: number): number {
  return ageDays >= windowDays ? 1 : 1 - Math.exp((-4 * (ageDays + 0.5)) / windowDays);
}

function fillCell(
  grid: Float64Array,
  offset: number,
  account: Account,
  campaign: Campaign,
  day: Day,
  cellHash: number,
  volume: number,
  matured: { clicks: number; views: number },
): void {
  const first = (cellHash & 0xffff) / 65_536;
  const second = (cellHash >>> 16) / 65_536;
  const other = mix(cellHash, 7);
  const third = (other & 0xffff) / 65_536;
  const fourth = (other >>> 16) / 65_536;
  const impressions = volume === 0 ? 0 : Math.floor(volume * (0.75 + 0.5 * first) + second);
  const finalClicks = Math.min(impressions, Math.floor(impressions * campaign.clickRate * (0.7 + 0.6 * third) + fourth));
  // Recent days include clicks that later become invalid. Their cost is then removed.
  const invalidShare = day.ageDays < invalidClickDays ? 0.05 * (1 - day.ageDays / invalidClickDays) : 0;
  const clicks = Math.min(impressions, finalClicks + Math.floor(finalClicks * invalidShare + first * (invalidShare > 0 ? 1 : 0)));
  const clickPrice = campaign.clickPriceMicros * (0.8 + 0.4 * second);
  const conversions = Math.floor(Math.floor(finalClicks * campaign.conversionRate * 200 * fourth) * matured.clicks);
  const allConversions = conversions + Math.floor(conversions * 0.2);
  const moneyUnit = account.moneyUnitMicros;
  grid[offset] = impressions;
  grid[offset + 1] = clicks;
  grid[offset + 2] = clicks * Math.max(1, Math.round(clickPrice / moneyUnit)) * moneyUnit;
  grid[offset + 3] = conversions;
  grid[offset + 4] = Math.round((conversions * campaign.orderValueMicros * (0.8 + 0.4 * third)) / 100 / moneyUnit) * moneyUnit;
  grid[offset + 5] = allConversions;
  grid[offset + 6] = Math.round((allConversions * campaign.orderValueMicros * (0.8 + 0.4 * third)) / 100 / moneyUnit) * moneyUnit;
  grid[offset + 7] = Math.floor(impressions * 0.0006 * matured.views * (campaign.channelType === 'SEARCH' ? 0 : 1));
}
