import { expect, test } from 'vitest';
import type { App } from '~/api/types';
import { conversionDestinations } from './conversion-items';

const app = (provider: string, state = 'connected') => ({ provider, state }) as App;
const apps = [
  ...[app('google_ads'), app('meta_ads', 'needs_reauth'), app('microsoft_ads', 'expiring')],
  ...[app('bigquery'), app('mixpanel', 'draft'), app('postgresql'), app('custom')],
];
const providers = conversionDestinations(apps).map(({ provider }) => provider);

test('excludes apps that need a reconnect or are drafts', () => {
  expect(providers).not.toContain('meta_ads');
  expect(providers).not.toContain('mixpanel');
});

test('offers only ad platforms as destinations', () => expect(providers).toEqual(['google_ads', 'microsoft_ads']));
