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

test('what the platform did says what it said, and blames nobody', () => {
  const line = describeHistory(event({ event: 'needs_reauth', detail: 'OAuthException 190, subcode 460' }), 'meta_ads');
  expect([line.words, line.aside, line.tone]).toEqual(['Ended by Meta', 'OAuthException 190, subcode 460', 'danger']);
});

test('a failure without words leaves none behind', () => {
  expect(describeHistory(event({ event: 'probe_failed' }), 'google_ads').aside).toBe('');
});

test('what nobody did happened by itself', () => {
  expect(describeHistory(event({}), 'google_ads').aside).toBe('By itself');
  expect(describeHistory(event({ event: 'connected', actor: 'owner@example.com' }), 'google_ads').aside).toBe(
    'By owner@example.com',
  );
});

test('what changed stands before who changed it', () => {
  const line = describeHistory(
    event({ event: 'renamed', actor: 'owner@example.com', detail: 'From Ads to Search.' }),
    'google_ads',
  );
  expect(line.aside).toBe('From Ads to Search, by owner@example.com');
});
