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

test('excludes a report with a breakdown that is not selected', () => {
  expect(namesOf('keyword', [])).toEqual(['campaign_daily', 'ad_daily']);
  expect(namesOf('keyword', ['country'])).not.toContain('geo_daily');
  expect(namesOf('keyword', ['country', 'region'])).toContain('geo_daily');
});

test('excludes a report that is finer than the level', () => {
  expect(namesOf('campaign', ['search_term'])).toEqual(['campaign_daily']);
  expect(namesOf('account', ['search_term'])).toEqual([]);
});

test('returns only levels and breakdowns with reports', () => {
  expect(levelsOf(streams)).toEqual(['campaign', 'ad_group', 'ad']);
  expect(breakdownsOf(streams)).toEqual(['country', 'region', 'search_term']);
});

test('replaces a missing level with the next coarser one', () => {
  expect(nearestLevel('keyword', ['campaign', 'ad'])).toBe('ad');
  expect(nearestLevel('ad_group', ['campaign', 'ad'])).toBe('campaign');
  expect(nearestLevel('account', ['campaign', 'ad'])).toBe('campaign');
  expect(nearestLevel('account', [])).toBeUndefined();
});

test('labels levels and breakdowns', () => {
  expect([levelWord('ad_group', 'google_ads'), levelWord('ad_group', 'meta_ads')]).toEqual(['Ad group', 'Ad set']);
  expect(breakdownWord('search_term')).toBe('Search term');
});
