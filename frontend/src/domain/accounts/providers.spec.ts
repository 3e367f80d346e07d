import { beforeEach, expect, test } from 'vitest';
import { hasAccountsToChoose, initialsOf, isDestination, providerWords, rememberProviders, signInName } from './providers';

const entry = (provider: string, name: string, category: string, role = 'source') => ({
  provider,
  name,
  category,
  roles: [role],
});

beforeEach(() =>
  rememberProviders([
    entry('acme_ads', 'Acme Ads', 'advertising'),
    entry('google_ads', 'Google Ads', 'advertising'),
    entry('stripe', 'Stripe', 'payments'),
    entry('custom', 'Custom app', 'custom'),
    entry('postgresql', 'PostgreSQL', 'warehouse', 'destination'),
  ]),
);

test('a provider that is not in the catalog is shown with its own name, without accounts', () => {
  expect(providerWords('unknown_ads').name).toBe('unknown_ads');
  expect(hasAccountsToChoose('unknown_ads')).toBe(false);
  expect(isDestination('unknown_ads')).toBe(false);
});

test('the wizard offers every source of the catalog except pushed events and payments', () => {
  const offered = ['acme_ads', 'google_ads', 'stripe', 'custom', 'postgresql'].filter(hasAccountsToChoose);
  expect(offered).toEqual(['acme_ads', 'google_ads']);
});

test('a provider without a page of its own has the name, initials and sign-in of the catalog', () => {
  expect(providerWords('acme_ads')).toEqual({ name: 'Acme Ads', signIn: null, segment: null });
  expect(signInName('acme_ads')).toBe('Acme Ads');
  expect(initialsOf('acme_ads')).toBe('AA');
  expect(initialsOf('unknown_ads')).toBe('UA');
  expect(signInName('google_ads')).toBe('Google');
});
