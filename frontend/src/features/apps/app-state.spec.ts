import { expect, test } from 'vitest';
import type { App } from '~/api/types';
import { appCan, appTable, worstFirst } from './app-state';

const app = (given: Partial<App> = {}) =>
  ({ authMode: 'oauth2', state: 'connected', usedBy: { sources: 0, destinations: 0, connections: 0 }, ...given }) as App;
const used = { sources: 1, destinations: 0, connections: 0 };

test('can disconnect an app in use and delete an unused app', () => {
  expect([appCan.disconnect(app({ usedBy: used })), appCan.delete(app({ usedBy: used }))]).toEqual([true, false]);
  expect([appCan.disconnect(app()), appCan.delete(app())]).toEqual([false, true]);
  expect(appCan.delete(app({ usedBy: { sources: 0, destinations: 1, connections: 0 } }))).toBe(false);
});

test('cannot disconnect or probe a disconnected app', () => {
  expect(appCan.disconnect(app({ usedBy: used, state: 'revoked' }))).toBe(false);
  expect(appCan.probe(app({ state: 'revoked' }))).toBe(false);
});

test('can reconnect OAuth apps only, and requires it for revoked and expired ones', () => {
  expect(appCan.reconnect(app({ authMode: 'password' }))).toBe(false);
  expect([app({ state: 'revoked' }), app({ state: 'needs_reauth' }), app()].map(appCan.mustReconnect)).toEqual([
    true,
    true,
    false,
  ]);
});

test('requests a sign-in for an expiring app, which still loads', () => {
  const expiring = app({ state: 'expiring' });
  expect([appCan.needsSignIn(expiring), appCan.mustReconnect(expiring)]).toEqual([true, false]);
  expect(appCan.needsSignIn(app({ state: 'needs_reauth', authMode: 'password' }))).toBe(false);
});

test('sorts apps that need attention first', () => {
  const states = (['connected', 'expiring', 'draft', 'needs_reauth'] as const).map((state) => app({ state }));
  expect(worstFirst(states).map(({ state }) => state)).toEqual(['needs_reauth', 'expiring', 'draft', 'connected']);
});

test('shows expired and revoked apps as danger with different labels', () => {
  expect([appTable.revoked.tone, appTable.needs_reauth.tone]).toEqual(['danger', 'danger']);
  expect(appTable.revoked.word).not.toBe(appTable.needs_reauth.word);
});
