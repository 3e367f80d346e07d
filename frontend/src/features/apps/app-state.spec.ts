import { expect, test } from 'vitest';
import type { App } from '../../api/types';
import { appCan, appTable } from './app-state';

const app = (given: Partial<App> = {}) =>
  ({ authMode: 'oauth2', state: 'connected', usedBy: { sources: 0, destinations: 0, connections: 0 }, ...given }) as App;

test('an app in use cannot be disconnected', () => {
  expect(appCan.disconnect(app({ usedBy: { sources: 1, destinations: 0, connections: 0 } }))).toBe(false);
  expect(appCan.disconnect(app({ usedBy: { sources: 0, destinations: 1, connections: 0 } }))).toBe(false);
  expect(appCan.disconnect(app())).toBe(true);
});

test('only an app that signs in by OAuth is reconnected, and a revoked one must be', () => {
  expect(appCan.reconnect(app({ authMode: 'password' }))).toBe(false);
  expect([app({ state: 'revoked' }), app({ state: 'needs_reauth' }), app()].map(appCan.mustReconnect)).toEqual([
    true,
    true,
    false,
  ]);
});

test('a dead sign-in and a revoked one read the same: there is one thing to do', () => {
  expect(appTable.revoked.word).toBe(appTable.needs_reauth.word);
});
