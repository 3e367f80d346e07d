import { expect, test } from 'vitest';
import type { Connector } from '~/api/types';
import { linesOf, searchCatalog } from './catalog';

const google = {
  provider: 'google_ads',
  name: 'Google Ads',
  roles: ['source'],
  category: 'advertising',
  description: 'Campaigns of Google Ads.',
  credentials: [],
  settingsSchema: null,
  streams: [{ title: 'Search terms' }],
} as unknown as Connector;

const namesOf = (search: string, role: 'all' | 'source' | 'destination' = 'all') =>
  searchCatalog(linesOf([google]), search, role).flatMap(([, lines]) => lines.map(({ name }) => name));

test('lists providers that are not configured, without a connector', () => {
  const lines = linesOf([google]);
  expect(lines).toHaveLength(7);
  expect(lines.filter(({ connector }) => connector !== null).map(({ provider }) => provider)).toEqual(['google_ads']);
});

test('returns no categories when nothing matches', () => {
  expect(searchCatalog(linesOf([google]), 'snowflake', 'all')).toEqual([]);
});

test('matches every search word in the name, the category or the streams', () => {
  expect(namesOf('  ads GOOGLE ')).toEqual(['Google Ads']);
  expect(namesOf('search terms')).toEqual(['Google Ads']);
  expect(namesOf('warehouse')).toEqual(['BigQuery', 'PostgreSQL']);
});

test('filters by role', () => {
  expect(namesOf('', 'source')).toEqual(['Google Ads', 'Meta Ads', 'Microsoft Ads', 'Custom app']);
  expect(namesOf('ads', 'destination')).toEqual([]);
});
