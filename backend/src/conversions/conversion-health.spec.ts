import { describe, expect, it } from 'vitest';
import { type HealthFacts, healthOf } from './conversion-health.js';

const well: HealthFacts = {
  desired: 'active',
  pausedByName: null,
  isPausedByFailures: false,
  endedAccess: null,
  failure: null,
  failedName: 'Google Ads',
  isWaiting: false,
  hasRun: true,
  lastWeek: { received: 1_200, rejected: 0 },
};
const google = { providerName: 'Google Ads', isTyped: false, failure: null };
const removed = { code: 'meta_ads.app_removed', message: 'The app was removed. The user did that.' };
const failure = { class: 'config', message: 'The conversion action was removed.' };

describe('the health of a conversion', () => {
  it.each<[string, Partial<HealthFacts>, string, string]>([
    ['nothing is wrong', {}, 'healthy', 'No event rejected in 7 days'],
    ['nothing was read', { lastWeek: { received: 0, rejected: 0 } }, 'healthy', 'No events in 7 days'],
    ['events are rejected', { lastWeek: { received: 1_200, rejected: 3 } }, 'partial', '3 of 1,200 events rejected in 7 days'],
    ['it is new', { hasRun: false }, 'never_run', 'No run has started yet'],
    ['a run failed', { failure }, 'failing', 'The conversion action was removed.'],
    [
      'a platform throttles',
      { failure: { ...failure, class: 'quota' }, isWaiting: true },
      'rate_limited',
      'Google Ads throttles requests',
    ],
    ['an app lacks access', { endedAccess: google, failure }, 'needs_reauth', 'Google Ads must be connected again'],
    ['the cause is known', { endedAccess: { ...google, failure: removed } }, 'needs_reauth', 'The app was removed'],
    ['a key is rejected', { endedAccess: { ...google, isTyped: true } }, 'needs_reauth', 'Google Ads rejects the credentials'],
    [
      'a user paused it',
      { desired: 'paused', pausedByName: 'owner@example.com', failure },
      'failing',
      'Paused by owner@example.com',
    ],
    ['a former member paused it', { desired: 'paused' }, 'healthy', 'Paused'],
    [
      'it was paused automatically',
      { desired: 'paused', isPausedByFailures: true, failure },
      'failing',
      'Paused after too many failed runs',
    ],
    [
      'it is paused without access',
      { desired: 'paused', endedAccess: google },
      'needs_reauth',
      'Paused. Google Ads must be connected again',
    ],
  ])('is computed with its reason if %s', (_, change, health, healthReason) =>
    expect(healthOf({ ...well, ...change })).toEqual({ health, healthReason }),
  );
});
