import { expect, test } from 'vitest';
import type { App } from '~/api/types';
import { appCan, appTable, worstFirst } from './app-state';

const app = (given: Partial<App> = {}) =>
  ({ authMode: 'oauth2', state: 'connected', usedBy: { sources: 0, destinations: 0, connections: 0 }, ...given }) as App;
const used = { sources: 1, destinations: 0, connections: 0 };

test('an app in use is disconnected and waits, one that nothing uses is deleted', () => {
  expect([appCan.disconnect(app({ usedBy: used })), appCan.delete(app({ usedBy: used }))]).toEqual([true, false]);
  expect([appCan.disconnect(app()), appCan.delete(app())]).toEqual([false, true]);
  expect(appCan.delete(app({ usedBy: { sources: 0, destinations: 1, connections: 0 } }))).toBe(false);
});

test('what is disconnected is not disconnected again', () => {
  expect(appCan.disconnect(app({ usedBy: used, state: 'revoked' }))).toBe(false);
  expect(appCan.probe(app({ state: 'revoked' }))).toBe(false);
});

test('only an app that signs in by OAuth is reconnected, and a revoked one must be', () => {
  expect(appCan.reconnect(app({ authMode: 'password' }))).toBe(false);
  expect([app({ state: 'revoked' }), app({ state: 'needs_reauth' }), app()].map(appCan.mustReconnect)).toEqual([
    true,
    true,
    false,
  ]);
});

test('an app that ends soon asks for a sign-in, and loads until then', () => {
  const expiring = app({ state: 'expiring' });
  expect([appCan.needsSignIn(expiring), appCan.mustReconnect(expiring)]).toEqual([true, false]);
  expect(appCan.needsSignIn(app({ state: 'needs_reauth', authMode: 'password' }))).toBe(false);
});

test('what needs somebody stands first', () => {
  const states = (['connected', 'expiring', 'draft', 'needs_reauth'] as const).map((state) => app({ state }));
  expect(worstFirst(states).map(({ state }) => state)).toEqual(['needs_reauth', 'expiring', 'draft', 'connected']);
});

test('a dead sign-in and a withdrawn one are both trouble, in words of their own', () => {
  expect([appTable.revoked.tone, appTable.needs_reauth.tone]).toEqual(['danger', 'danger']);
  expect(appTable.revoked.word).not.toBe(appTable.needs_reauth.word);
});
