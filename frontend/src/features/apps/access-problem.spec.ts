import { expect, test } from 'vitest';
import type { App } from '~/api/types';
import { accessProblemReason, accessProblemTitle } from './access-problem';

const NOW = new Date('2026-11-20T10:00:00Z');
const app = (given: Partial<App>) => ({ provider: 'meta_ads', state: 'needs_reauth', failure: null, ...given }) as App;

test('omits the time when it is unknown', () => {
  expect(accessProblemTitle(app({}), NOW)).toBe('Meta ended the sign-in');
  expect(accessProblemTitle(app({ needsReauthSince: null }), NOW)).toBe('Meta ended the sign-in');
});

test('shows who ended the sign-in and when', () => {
  expect(accessProblemTitle(app({ needsReauthSince: '2026-11-17T14:02:00Z' }), NOW)).toBe(
    'Meta ended the sign-in on Tue, Nov 17, 14:02',
  );
  expect(accessProblemTitle(app({ state: 'revoked', needsReauthSince: '2026-11-17T14:02:00Z' }), NOW)).toBe(
    'This app was disconnected on Tue, Nov 17, 14:02',
  );
});

test('shows the platform message first, and mentions loaded data only after the sign-in ended', () => {
  const failure = { class: 'auth', code: 'x', message: 'The password changed.', action: '', providerRequestId: null };
  expect(accessProblemReason(app({ failure }))).toMatch(/^The password changed\. Loaded data is not affected/);
  expect(accessProblemReason(app({ state: 'expiring' }))).not.toContain('Loaded data');
});
