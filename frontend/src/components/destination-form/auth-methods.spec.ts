import { expect, test } from 'vitest';
import type { App, Connector, Destination } from '~/api/types';
import { describeAuthMethod, authMethodsFor, authMethodsOfSaved } from './auth-methods';

const schema = { properties: {} };
const bigquery = {
  provider: 'bigquery',
  credentials: [
    { authMode: 'service_account', schema },
    { authMode: 'oauth2', schema: null },
  ],
} as unknown as Connector;
const postgresql = { provider: 'postgresql', credentials: [{ authMode: 'password', schema }] } as unknown as Connector;

const app = (provider: string, state: string): App =>
  ({ id: `${provider}-${state}`, provider, state, displayName: 'Loader', externalUser: null, credentialHint: 'loader@x' }) as App;

const idsOf = (connector: Connector, apps: App[]) => authMethodsFor(connector, apps).map(({ id }) => id);

test('excludes apps that need reauthentication or belong to another provider', () => {
  expect(idsOf(bigquery, [app('bigquery', 'needs_reauth'), app('google_ads', 'connected')])).toEqual(['typed', 'sign-in']);
});

test('offers no sign-in when the instance has no OAuth client', () => {
  const alone = { ...bigquery, credentials: bigquery.credentials.slice(0, 1) };
  expect(idsOf(alone, [])).toEqual(['typed']);
});

test('lists connected apps first', () => {
  expect(idsOf(bigquery, [app('bigquery', 'connected')])).toEqual(['bigquery-connected', 'typed', 'sign-in']);
});

test('does not offer a PostgreSQL password to another destination', () => {
  expect(idsOf(postgresql, [app('postgresql', 'connected')])).toEqual(['typed']);
});

test('accepts a new key for a saved destination, but not for one with OAuth', () => {
  expect(authMethodsOfSaved({ authMode: 'service_account' } as Destination, bigquery).map(({ id }) => id)).toEqual(['typed']);
  expect(authMethodsOfSaved({ authMode: 'oauth2' } as Destination, bigquery)).toEqual([]);
});

test('describes every method', () => {
  const methods = authMethodsFor(bigquery, [app('bigquery', 'connected')]);
  expect(methods.map((method) => describeAuthMethod(method, 'bigquery').title)).toEqual([
    'Loader',
    'Service account key',
    'Sign in with Google',
  ]);
});
