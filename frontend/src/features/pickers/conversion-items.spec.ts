import { expect, test } from 'vitest';
import type { App } from '~/api/types';
import { appsFor } from './conversion-items';

const app = (provider: string, state = 'connected') => ({ provider, state }) as App;
const apps = [app('google_ads'), app('meta_ads', 'needs_reauth'), app('bigquery'), app('mixpanel', 'draft'), app('postgresql')];
const providersFor = (side: 'source' | 'destination') => appsFor(side, apps).map(({ provider }) => provider);

test('excludes apps that need a reconnect or are drafts', () => {
  expect(providersFor('destination')).not.toContain('meta_ads');
  expect(providersFor('source')).not.toContain('mixpanel');
});

test('offers warehouses and analytics as sources and ad platforms as destinations', () => {
  expect(providersFor('source')).toEqual(['bigquery', 'postgresql']);
  expect(providersFor('destination')).toEqual(['google_ads']);
});
