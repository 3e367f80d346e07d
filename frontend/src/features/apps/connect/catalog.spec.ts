import { expect, test } from 'vitest';
import type { Connector } from '~/api/types';
import { linesOf, searchCatalog } from './catalog';

const entry = (name: string, category: Connector['category'], role: 'source' | 'destination'): Connector => ({
  ...{ provider: 'google_ads', name, category, roles: [role], description: `Loads ${name}.` },
  ...{ credentials: [], settingsSchema: null, streams: [] },
});
const google = {
  ...entry('Google Ads', 'advertising', 'source'),
  credentials: [{ authMode: 'oauth2', scopes: [], schema: null }],
  streams: [{ title: 'Search terms' }],
} as unknown as Connector;
const connectors = [
  google,
  entry('Meta Ads', 'advertising', 'source'),
  entry('BigQuery', 'warehouse', 'destination'),
  entry('PostgreSQL', 'warehouse', 'destination'),
  entry('Custom app', 'custom', 'source'),
];

const namesOf = (search: string, role: 'all' | 'source' | 'destination' = 'all') =>
  searchCatalog(linesOf(connectors), search, role).flatMap(([, lines]) => lines.map(({ name }) => name));

test('lists providers that are not configured, without a connector', () => {
  const lines = linesOf(connectors);
  expect(lines.map(({ name }) => name)).toEqual(['Google Ads', 'Meta Ads', 'BigQuery', 'PostgreSQL', 'Custom app']);
  expect(lines.filter(({ connector }) => connector !== null).map(({ name }) => name)).toEqual(['Google Ads']);
});

test('returns no categories when nothing matches', () => {
  expect(searchCatalog(linesOf(connectors), 'snowflake', 'all')).toEqual([]);
});

test('matches every search word in the name, the category or the streams', () => {
  expect(namesOf('  ads GOOGLE ')).toEqual(['Google Ads']);
  expect(namesOf('search terms')).toEqual(['Google Ads']);
  expect(namesOf('warehouse')).toEqual(['BigQuery', 'PostgreSQL']);
});

test('filters by role', () => {
  expect(namesOf('', 'source')).toEqual(['Google Ads', 'Meta Ads', 'Custom app']);
  expect(namesOf('ads', 'destination')).toEqual([]);
});
