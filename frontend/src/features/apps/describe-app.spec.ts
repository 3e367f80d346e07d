import { expect, test } from 'vitest';
import type { App } from '~/api/types';
import { rememberProviders } from '~/domain/accounts/providers';
import { accountText, expiryText, probeText, usedText, usesOf, waitingText } from './describe-app';

const NOW = new Date('2026-11-20T10:00:00Z');
const app = (given: Partial<App> = {}) =>
  ({
    displayName: 'Northwind',
    authMode: 'oauth2',
    state: 'connected',
    signInAgainAt: null,
    externalUser: null,
    credentialHint: null,
    roles: ['source'],
    usedBy: { sources: 0, destinations: 0, connections: 0 },
    ...given,
  }) as App;

test('shows no expiry for apps that need a reconnect or use a password', () => {
  expect(expiryText(app({ state: 'needs_reauth', signInAgainAt: '2026-11-17T10:00:00Z' }), NOW)).toBeNull();
  expect(expiryText(app({ authMode: 'password' }), NOW)).toBeNull();
});

test('shows the days until the next sign-in, or that the app renews automatically', () => {
  expect(expiryText(app({ signInAgainAt: '2026-11-26T10:00:00Z' }), NOW)).toBe('Expires in 6 days');
  expect(expiryText(app({ state: 'expiring', signInAgainAt: '2026-11-21T10:00:00Z' }), NOW)).toBe('Expires tomorrow');
  expect(expiryText(app({ signInAgainAt: '2027-01-19T10:00:00Z' }), NOW)).toBe('Expires in 60 days');
  expect(expiryText(app(), NOW)).toBe('Auto-renews');
});

test('counts connections, or else sources, or else destinations', () => {
  expect(usedText(app())).toBe('Not used yet');
  expect(usedText(app({ usedBy: { sources: 2, destinations: 0, connections: 0 } }))).toBe('2 sources, no connection yet');
  expect(usedText(app({ usedBy: { sources: 0, destinations: 1, connections: 0 } }))).toBe('1 destination, no connection yet');
  expect(usedText(app({ usedBy: { sources: 2, destinations: 0, connections: 3 } }))).toBe('Used by 3 connections');
  expect(usesOf(app({ usedBy: { sources: 2, destinations: 0, connections: 1 } }))).toEqual([
    [2, 'source'],
    [1, 'connection'],
  ]);
});

test('describes an app by its user, or else by its credential hint', () => {
  expect(accountText(app())).toBeNull();
  expect(accountText(app({ credentialHint: 'warehouse_writer' }))).toBe('warehouse_writer');
  expect(accountText(app({ externalUser: 'ads@example.com', credentialHint: 'x' }))).toBe('ads@example.com');
});

test('does not repeat a user that the app is named after', () => {
  expect(accountText(app({ displayName: 'ads@example.com', externalUser: 'ads@example.com' }))).toBeNull();
});

test('a successful test names the number of ad accounts, where the app has some', () => {
  const connector = { provider: 'google_ads', name: 'Google Ads', category: 'ads', roles: ['source'] };
  rememberProviders([connector, { provider: 'bigquery', name: 'BigQuery', category: 'warehouse', roles: ['destination'] }]);
  expect(probeText('google_ads', 1)).toBe('Google access works, 1 ad account found');
  expect(probeText('google_ads', 12)).toBe('Google access works, 12 ad accounts found');
  expect(probeText('bigquery', 0)).toBe('Google access works');
});

test('says how many runs wait for a quota', () => {
  expect([0, 1, 2].map(waitingText)).toEqual(['', '1 run waits until then.', '2 runs wait until then.']);
});
