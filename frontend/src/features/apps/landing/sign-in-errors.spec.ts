import { expect, test } from 'vitest';
import { describeSignInError } from './sign-in-errors';

const CODES = [
  'oauth.denied',
  'oauth.missing_scope',
  'oauth.no_accounts',
  'oauth.state_invalid',
  'oauth.state_expired',
  'oauth.other_user',
  'oauth.not_started',
];

test('returns null for errors that are not sign-in errors', () => {
  expect(describeSignInError('provider.unavailable', 'google_ads', 'Try later')).toBeNull();
});

test('describes each sign-in error separately and names the right platform', () => {
  for (const provider of ['google_ads', 'meta_ads', 'microsoft_ads', 'bigquery']) {
    const titles = CODES.map((code) => describeSignInError(code, provider, '')!);
    expect(new Set(titles.map(({ title }) => title)).size).toBe(CODES.length);
    expect(titles.every(({ text, again }) => text.length > 20 && again.length > 5)).toBe(true);
  }
  const words = CODES.map((code) => JSON.stringify(describeSignInError(code, 'microsoft_ads', ''))).join();
  expect(words).toContain('Microsoft');
  expect(words).not.toMatch(/Google|Meta/);
});

test('shows the server message about a missing permission unchanged', () => {
  expect(describeSignInError('oauth.missing_scope', 'meta_ads', 'ads_read was not ticked')?.text).toBe('ads_read was not ticked');
});

test('a sign-in that was used or has expired does not claim that nothing was stored', () => {
  for (const code of ['oauth.state_expired', 'oauth.state_invalid', 'oauth.not_started'])
    expect(describeSignInError(code, 'google_ads', '')?.text).not.toMatch(/nothing was stored|not connected/i);
});
