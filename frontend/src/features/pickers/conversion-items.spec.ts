import { expect, test } from 'vitest';
import type { App } from '~/api/types';
import { appsFor } from './conversion-items';

const app = (provider: string, state = 'connected') => ({ provider, state }) as App;
const apps = [app('google_ads'), app('meta_ads', 'needs_reauth'), app('bigquery'), app('mixpanel', 'draft'), app('postgresql')];
const providersFor = (side: 'source' | 'destination') => appsFor(side, apps).map(({ provider }) => provider);

test('an app that must reconnect or was never finished takes no part in conversions', () => {
  expect(providersFor('destination')).not.toContain('meta_ads');
  expect(providersFor('source')).not.toContain('mixpanel');
});

test('events come from warehouses and analytics, and go to ad platforms', () => {
  expect(providersFor('source')).toEqual(['bigquery', 'postgresql']);
  expect(providersFor('destination')).toEqual(['google_ads']);
});
