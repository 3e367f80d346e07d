import { expect, test } from 'vitest';
import type { App, Connector, Destination } from '~/api/types';
import { describeWay, waysInto, waysOfSaved } from './ways-in';

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

const idsOf = (connector: Connector, apps: App[]) => waysInto(connector, apps).map(({ id }) => id);

test('an app that must reconnect first, or belongs to another provider, is no way in', () => {
  expect(idsOf(bigquery, [app('bigquery', 'needs_reauth'), app('google_ads', 'connected')])).toEqual(['typed', 'sign-in']);
});

test('an installation that is not registered at the platform offers no sign-in', () => {
  const alone = { ...bigquery, credentials: bigquery.credentials.slice(0, 1) };
  expect(idsOf(alone, [])).toEqual(['typed']);
});

test('what is connected already comes first', () => {
  expect(idsOf(bigquery, [app('bigquery', 'connected')])).toEqual(['bigquery-connected', 'typed', 'sign-in']);
});

test('the password of one database is not offered to another', () => {
  expect(idsOf(postgresql, [app('postgresql', 'connected')])).toEqual(['typed']);
});

test('a saved destination may get a new key, and one that was signed in to asks for none', () => {
  expect(waysOfSaved({ authMode: 'service_account' } as Destination, bigquery).map(({ id }) => id)).toEqual(['typed']);
  expect(waysOfSaved({ authMode: 'oauth2' } as Destination, bigquery)).toEqual([]);
});

test('each way says what it is', () => {
  const ways = waysInto(bigquery, [app('bigquery', 'connected')]);
  expect(ways.map((way) => describeWay(way, 'bigquery').title)).toEqual(['Loader', 'Service account key', 'Sign in with Google']);
});
