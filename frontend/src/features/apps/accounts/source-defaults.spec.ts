import { expect, test } from 'vitest';
import type { AdAccount, App } from '~/api/types';
import { defaultSourceName, readBy, whyNoSource } from './source-defaults';

const account = (externalId: string, managerName: string | null): AdAccount => ({
  externalId,
  name: `Shop ${externalId}`,
  currency: 'EUR',
  timeZone: 'Europe/Paris',
  managerId: managerName,
  managerName,
  status: 'enabled',
});
const app = {
  displayName: 'Ads',
  accounts: [account('1', 'North'), account('2', 'North'), account('3', null), account('4', null)],
};

test('names a source after the manager, the single account, or else the app', () => {
  expect(defaultSourceName(app, ['1', '2'], [])).toBe('North');
  expect(defaultSourceName(app, ['1'], [])).toBe('Shop 1');
  expect(defaultSourceName(app, ['1', '3'], [])).toBe('Ads');
  expect(defaultSourceName(app, ['3', '4'], [])).toBe('Ads');
  expect(defaultSourceName(app, [], [])).toBe('Ads');
});

test('requires a working sign-in, an account and a name', () => {
  const ofState = (state: App['state']) => ({ ...app, state }) as App;
  expect(whyNoSource(ofState('needs_reauth'), ['1'], 'Ads')).toBe('Reconnect the app first');
  expect(whyNoSource(ofState('revoked'), ['1'], 'Ads')).toBe('Reconnect the app first');
  expect(whyNoSource(ofState('connected'), [], 'Ads')).toBe('Select an account');
  expect(whyNoSource(ofState('connected'), ['1'], ' ')).toBe('Enter a source name');
  expect(whyNoSource(ofState('expiring'), ['1'], 'Ads')).toBeNull();
});

test('appends a number to a name that is taken', () => {
  expect(defaultSourceName(app, [], ['Ads'])).toBe('Ads 2');
  expect(defaultSourceName(app, [], ['Ads', 'Ads 2'])).toBe('Ads 3');
});

test('lists the sources that read each account', () => {
  const sources = [
    { name: 'Search', accounts: [app.accounts[0]!] },
    { name: 'Brand', accounts: [app.accounts[0]!, app.accounts[2]!] },
  ];
  expect([...readBy(sources)]).toEqual([
    ['1', 'In Search and Brand'],
    ['3', 'In Brand'],
  ]);
});
