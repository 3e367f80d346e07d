import { describe, expect, it } from 'vitest';
import { type HealthFacts, healthOf } from './connection-health.js';

const google = { side: 'source' as const, providerName: 'Google Ads', isTyped: false, failure: null };
const typed = { side: 'destination' as const, providerName: 'Mixpanel', isTyped: true, failure: null };
const removed = { code: 'meta_ads.app_removed', message: 'The app was removed in the Facebook settings of the connected user.' };
const imported = { code: 'app.imported', message: 'It was imported without credentials.' };

const well: HealthFacts = {
  desired: 'active',
  pausedByName: null,
  waitsForDecision: false,
  isPausedByFailures: false,
  waitsForApps: false,
  isClosed: false,
  expiredApp: null,
  isDestinationBroken: false,
  providerName: 'Google Ads',
  lastEndedState: 'succeeded',
  rowsLost: null,
  destinationName: 'PostgreSQL',
  failedInARow: 0,
  failureMessage: null,
  failureClass: null,
  waitsFor: null,
  activeFaults: 0,
  activeFailureMessage: null,
  activeState: null,
  isFirstLoad: false,
  percentLoaded: 0,
  reachedThrough: '2026-11-19',
  newestComplete: '2026-11-19',
  dueThrough: '2026-11-18',
  wantedThrough: '2026-11-19',
  backfillPercent: null,
  accountsMissing: 0,
  accounts: 9,
};
const healthWith = (change: Partial<HealthFacts>) => healthOf({ ...well, ...change });

describe('health', () => {
  it.each<[string, Partial<HealthFacts>, string, string]>([
    ['every row arrived', {}, 'healthy', 'Every row verified'],
    ['the subscription is missing', { isClosed: true, lastEndedState: 'failed' }, 'paused', 'Waiting for a subscription'],
    ['nothing ran yet', { lastEndedState: null, newestComplete: null }, 'never_run', 'No run has ended yet'],
    [
      'the first load is active',
      { lastEndedState: null, activeState: 'running', isFirstLoad: true, percentLoaded: 62 },
      'backfilling',
      'Initial load, 62% loaded',
    ],
    [
      'the source lacks access for an unknown reason',
      { expiredApp: google, lastEndedState: 'failed' },
      'needs_reauth',
      'Google Ads must be connected again',
    ],
    [
      'the user removed the app',
      { expiredApp: { ...google, providerName: 'Meta Ads', failure: removed } },
      'needs_reauth',
      'The app was removed in the Facebook settings of the connected user',
    ],
    [
      'the source was imported',
      { expiredApp: { ...google, failure: imported } },
      'needs_reauth',
      'Google Ads was imported without credentials',
    ],
    [
      'the destination was imported',
      { expiredApp: { ...typed, failure: imported } },
      'needs_reauth',
      'Mixpanel was imported without credentials',
    ],
    [
      'the destination rejects its credentials',
      { expiredApp: typed, lastEndedState: 'failed' },
      'needs_reauth',
      'Mixpanel rejects the credentials',
    ],
    [
      'the last run failed',
      { lastEndedState: 'failed', failedInARow: 1, failureMessage: 'PostgreSQL rejected the password.' },
      'failing',
      'PostgreSQL rejected the password.',
    ],
    ['many failed', { lastEndedState: 'failed', failedInARow: 6 }, 'failing', '6 runs failed in a row'],
    ['it lags', { newestComplete: '2026-11-10' }, 'stale', '9 days behind: the newest complete day is Nov 10, 2026'],
    [
      'it lags while a run is active',
      { newestComplete: '2026-11-07', activeState: 'running' },
      'stale',
      '12 days behind: the newest complete day is Nov 7, 2026',
    ],
    [
      'it lags and its last run was partial',
      { newestComplete: '2026-11-17', lastEndedState: 'partial', accountsMissing: 1 },
      'stale',
      '2 days behind: the newest complete day is Nov 17, 2026',
    ],
    [
      'it lags while the platform throttles requests',
      { newestComplete: '2026-11-10', activeState: 'waiting', failureClass: 'quota' },
      'stale',
      '9 days behind: the newest complete day is Nov 10, 2026',
    ],
    ['the schedule is not late yet', { newestComplete: '2026-11-18' }, 'healthy', 'Every row verified'],
    ['the due date is unknown', { newestComplete: '2026-11-01', dueThrough: null }, 'healthy', 'Every row verified'],
    ['accounts are missing', { lastEndedState: 'partial', accountsMissing: 2 }, 'partial', '2 of 9 accounts incomplete'],
    [
      'days of an account are missing after the last run succeeded',
      { accountsMissing: 1 },
      'partial',
      '1 of 9 accounts incomplete',
    ],
    [
      'days of an account or stream were never loaded',
      { reachedThrough: '2024-12-31' },
      'partial',
      'Days of an account or stream are not loaded yet',
    ],
    [
      'the first day is over only in the time zone of one account',
      { reachedThrough: '2026-11-18', newestComplete: '2026-11-19', dueThrough: '2026-11-18' },
      'healthy',
      'Every row verified',
    ],
    [
      'a run loads days of an account or stream for the first time',
      { reachedThrough: '2024-12-31', activeState: 'running', percentLoaded: 40 },
      'backfilling',
      'Loading added days, 40% loaded',
    ],
    [
      'the last run did not load days that a run waits to load',
      { reachedThrough: '2024-12-31', accountsMissing: 1, activeState: 'queued' },
      'partial',
      '1 of 9 accounts incomplete',
    ],
    [
      'days are missing that a backfill loads at present',
      { accountsMissing: 1, backfillPercent: 40 },
      'backfilling',
      'Backfill, 40% loaded',
    ],
    [
      'the destination lost rows of several accounts',
      { lastEndedState: 'partial', accountsMissing: 1, rowsLost: 1141 },
      'partial',
      '1,141 rows missing in PostgreSQL',
    ],
    [
      'it lags because the destination lost rows',
      { newestComplete: '2026-11-10', lastEndedState: 'partial', rowsLost: 38 },
      'stale',
      '38 rows missing in PostgreSQL',
    ],
    ['the destination duplicated a row', { lastEndedState: 'partial', rowsLost: -1 }, 'partial', '1 row too many in PostgreSQL'],
    [
      'the destination changed values of every chunk',
      { lastEndedState: 'failed', failedInARow: 1, rowsLost: 0, failureMessage: 'Search, Nov 21, 2026: other values.' },
      'failing',
      'Other values in PostgreSQL than sent',
    ],
    ['rows do not show yet', { lastEndedState: 'unverified' }, 'unverified', 'Rows were sent and are not verified yet'],
    [
      'nothing is missing, but the last run did not read all days that may change',
      { lastEndedState: 'partial', accountsMissing: 0 },
      'partial',
      'Days that may still change were not all read again',
    ],
    [
      'quota is used up',
      { activeState: 'waiting', failureClass: 'quota', waitsFor: 'Google Ads' },
      'rate_limited',
      'Google Ads throttles requests',
    ],
    [
      'the active run retries after a transient error',
      { activeState: 'waiting', failureClass: 'transient', waitsFor: 'BigQuery', activeFaults: 1 },
      'healthy',
      'Every row verified',
    ],
    [
      'retries of the active run fail again and again',
      {
        activeState: 'waiting',
        failureClass: 'transient',
        activeFaults: 3,
        activeFailureMessage: 'BigQuery could not be reached.',
      },
      'failing',
      'BigQuery could not be reached.',
    ],
    [
      'a platform throttles the active run for long',
      { activeState: 'waiting', failureClass: 'quota', waitsFor: 'Meta Ads', activeFaults: 5 },
      'rate_limited',
      'Meta Ads throttles requests',
    ],
    [
      'a user paused it',
      { desired: 'paused', pausedByName: 'The owner', lastEndedState: 'failed' },
      'paused',
      'Paused by The owner',
    ],
    [
      'it was paused after failures',
      { desired: 'paused', isPausedByFailures: true, lastEndedState: 'failed' },
      'paused',
      'Paused after too many failed runs',
    ],
    [
      'it is paused and needs reauthentication',
      { desired: 'paused', expiredApp: google },
      'needs_reauth',
      'Paused. Google Ads must be connected again',
    ],
  ])('when %s', (_when, change, health, reason) => {
    expect(healthWith(change)).toEqual({ health, healthReason: reason });
  });

  it('is the worst health that applies', () => {
    expect(
      healthWith({ expiredApp: google, lastEndedState: 'partial', activeState: 'waiting', newestComplete: '2026-01-01' }).health,
    ).toBe('needs_reauth');
  });
});
