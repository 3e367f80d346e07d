import { expect, test } from 'vitest';
import type { AppHistoryEvent } from '~/api/types';
import { describeHistory } from './describe-history';

const event = (given: Partial<AppHistoryEvent>): AppHistoryEvent => ({
  at: '2026-11-17T14:02:00Z',
  event: 'refreshed',
  actor: null,
  detail: null,
  ...given,
});

test('shows the platform message for events of the platform, without an actor', () => {
  const line = describeHistory(event({ event: 'needs_reauth', detail: 'OAuthException 190, subcode 460' }), 'meta_ads');
  expect([line.words, line.aside, line.tone]).toEqual(['Ended by Meta', 'OAuthException 190, subcode 460', 'danger']);
});

test('shows no detail for a failure without a message', () => {
  expect(describeHistory(event({ event: 'probe_failed' }), 'google_ads').aside).toBe('');
});

test('shows "Automatic" for events without an actor', () => {
  expect(describeHistory(event({}), 'google_ads').aside).toBe('Automatic');
  expect(describeHistory(event({ event: 'connected', actor: 'owner@example.com' }), 'google_ads').aside).toBe(
    'By owner@example.com',
  );
});

test('shows the change before the actor', () => {
  const line = describeHistory(
    event({ event: 'renamed', actor: 'owner@example.com', detail: 'From Ads to Search.' }),
    'google_ads',
  );
  expect(line.aside).toBe('From Ads to Search, by owner@example.com');
});
