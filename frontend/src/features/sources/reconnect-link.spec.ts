import { expect, test } from 'vitest';
import { reconnectLink } from './reconnect-link';

test('a source is reconnected with the sign-in of its platform', () =>
  expect(reconnectLink('org', { provider: 'meta_ads', appId: 'app' })).toEqual({
    isSignIn: true,
    label: 'Reconnect with Meta',
    to: '/metaReauth?app=app',
  }));

test('the key of a source without a sign-in is entered on the page of its app, which everyone may open', () =>
  expect(reconnectLink('org', { provider: 'stripe', appId: 'app' })).toEqual({
    isSignIn: false,
    label: 'Open app',
    to: '/org/app/app',
  }));
