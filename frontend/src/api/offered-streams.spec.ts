import { expect, test } from 'vitest';
import type { CatalogStream, Level } from './types';
import { breakdownsOf, breakdownWord, levelsOf, levelWord, nearestLevel, offeredStreams } from './offered-streams';

const stream = (name: string, level: Level, breakdowns: string[] = []) =>
  ({ name, level, breakdowns }) as unknown as CatalogStream;
const streams = [
  stream('campaign_daily', 'campaign'),
  stream('ad_daily', 'ad'),
  stream('geo_daily', 'campaign', ['country', 'region']),
  stream('search_term_daily', 'ad_group', ['search_term']),
];
const namesOf = (level: Level, breakdowns: string[]) => offeredStreams(streams, { level, breakdowns }).map(({ name }) => name);

test('a report that is split further than what was chosen is not brought', () => {
  expect(namesOf('keyword', [])).toEqual(['campaign_daily', 'ad_daily']);
  expect(namesOf('keyword', ['country'])).not.toContain('geo_daily');
  expect(namesOf('keyword', ['country', 'region'])).toContain('geo_daily');
});

test('a report below the level is not brought', () => {
  expect(namesOf('campaign', ['search_term'])).toEqual(['campaign_daily']);
  expect(namesOf('account', ['search_term'])).toEqual([]);
});

test('levels and breakdowns are those the platform has reports for', () => {
  expect(levelsOf(streams)).toEqual(['campaign', 'ad_group', 'ad']);
  expect(breakdownsOf(streams)).toEqual(['country', 'region', 'search_term']);
});

test('a level that a platform does not have stands for the nearest above it', () => {
  expect(nearestLevel('keyword', ['campaign', 'ad'])).toBe('ad');
  expect(nearestLevel('ad_group', ['campaign', 'ad'])).toBe('campaign');
  expect(nearestLevel('account', ['campaign', 'ad'])).toBe('campaign');
  expect(nearestLevel('account', [])).toBeUndefined();
});

test('names are words', () => {
  expect([levelWord('ad_group', 'google_ads'), levelWord('ad_group', 'meta_ads')]).toEqual(['Ad group', 'Ad set']);
  expect(breakdownWord('search_term')).toBe('Search term');
});
