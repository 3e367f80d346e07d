import { mix } from '../noise.ts';
import type { Account } from './accounts.ts';
import { metric, metricCount } from './numbers.ts';

/** Breakdowns that can be combined, and a value of a cell for each, in this order. */
const families = {
  demography: ['age', 'gender'],
  country: ['country'],
  placement: ['publisher_platform', 'platform_position', 'impression_device'],
} as const;

type Family = keyof typeof families;

export interface Cell {
  values: string[];
  share: number;
}

/** For accounts that have not opted in, a synchronous report with this breakdown is empty (since 2026-08). */
export const optInBreakdown = 'impression_device';

/** The family of a combination, or null if Meta rejects it. */
export function familyOf(breakdowns: string[]): Family | null {
  const found = (Object.keys(families) as Family[]).find((family) =>
    breakdowns.every((name) => (families[family] as readonly string[]).includes(name)),
  );
  const lacksPlatform = found === 'placement' && !breakdowns.includes('publisher_platform');
  return found && !lacksPlatform ? found : null;
}

const ages: [string, number][] = [
  ['18-24', 0.16],
  ['25-34', 0.29],
  ['35-44', 0.23],
  ['45-54', 0.16],
  ['55-64', 0.1],
  ['65+', 0.06],
];
const genders: [string, number][] = [
  ['female', 0.56],
  ['male', 0.42],
  ['unknown', 0.02],
];
const placements: [string, string, string, number][] = [
  ['facebook', 'feed', 'iphone', 0.21],
  ['facebook', 'feed', 'android_smartphone', 0.17],
  ['facebook', 'facebook_reels', 'android_smartphone', 0.09],
  ['facebook', 'marketplace', 'desktop', 0.05],
  ['instagram', 'feed', 'iphone', 0.19],
  ['instagram', 'instagram_stories', 'iphone', 0.13],
  ['instagram', 'instagram_reels', 'android_smartphone', 0.11],
  ['audience_network', 'an_classic', 'android_smartphone', 0.04],
  ['messenger', 'messenger_stories', 'iphone', 0.01],
];
const countryShares = [0.86, 0.09, 0.05];

function cellsOf(family: Family, account: Account): Cell[] {
  if (family === 'country')
    return account.countries.map((country, index) => ({ values: [country], share: countryShares[index] ?? 0 }));
  if (family === 'placement')
    return placements.map(([platform, position, device, share]) => ({ values: [platform, position, device], share }));
  return ages.flatMap(([age, ageShare]) =>
    genders.map(([gender, share]) => ({ values: [age, gender], share: ageShare * share })),
  );
}

/** Maximum rows per object, to estimate the size of a report. */
export function cellCount(breakdowns: string[], account: Account): number {
  const family = familyOf(breakdowns);
  return breakdowns.length === 0 || !family ? 1 : cellsOf(family, account).length;
}

/**
 * Splits the metrics of one ad and day. All metrics are split at the same shares as the impressions, so that the parts sum
 * exactly and no part has more clicks than impressions. On some days a part has no known country and is in no row.
 */
export function* divide(
  numbers: Float64Array,
  breakdowns: string[],
  account: Account,
  seed: number,
): Generator<{ values: string[]; numbers: Float64Array }> {
  const family = familyOf(breakdowns);
  if (!family) return;
  const columns = breakdowns.map((name) => (families[family] as readonly string[]).indexOf(name));
  const known = family === 'country' && mix(seed, 21) % 12 === 0 ? 0.97 : 1;
  const total = numbers[metric.impressions] ?? 0;
  let cumulated = 0;
  let before = 0;
  for (const { values, share } of cellsOf(family, account)) {
    cumulated += share;
    const after = Math.min(total, Math.round(total * Math.min(1, cumulated) * known));
    if (after > before)
      yield { values: columns.map((column) => values[column] as string), numbers: part(numbers, before, after, total) };
    before = after;
  }
}

function part(numbers: Float64Array, before: number, after: number, total: number): Float64Array {
  const cut = new Float64Array(metricCount);
  for (let index = 0; index < metricCount; index++) {
    const whole = numbers[index] ?? 0;
    cut[index] = Math.floor((whole * after) / total) - Math.floor((whole * before) / total);
  }
  return cut;
}
