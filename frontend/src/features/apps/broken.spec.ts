import { expect, test } from 'vitest';
import type { App } from '~/api/types';
import { reasonOfBreak, titleOfBreak } from './broken';

const NOW = new Date('2026-11-20T10:00:00Z');
const app = (given: Partial<App>) => ({ provider: 'meta_ads', state: 'needs_reauth', failure: null, ...given }) as App;

test('a moment that is not known is not made up', () => {
  expect(titleOfBreak(app({}), NOW)).toBe('Meta ended the sign-in');
  expect(titleOfBreak(app({ needsReauthSince: null }), NOW)).toBe('Meta ended the sign-in');
});

test('who ended it, and when', () => {
  expect(titleOfBreak(app({ needsReauthSince: '2026-11-17T14:02:00Z' }), NOW)).toBe(
    'Meta ended the sign-in on Tue, Nov 17, 14:02',
  );
  expect(titleOfBreak(app({ state: 'revoked', needsReauthSince: '2026-11-17T14:02:00Z' }), NOW)).toBe(
    'This app was disconnected on Tue, Nov 17, 14:02',
  );
});

test('what the platform said stands first, and what ends soon loses nothing', () => {
  const failure = { class: 'auth', code: 'x', message: 'The password changed.', action: '', providerRequestId: null };
  expect(reasonOfBreak(app({ failure }))).toMatch(/^The password changed\. Nothing that was loaded is lost/);
  expect(reasonOfBreak(app({ state: 'expiring' }))).not.toContain('lost');
});
