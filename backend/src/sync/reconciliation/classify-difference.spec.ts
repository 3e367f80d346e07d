import { describe, expect, it } from 'vitest';
import { classify, type DifferingDay } from './classify-difference.js';
import { skipReason } from './skip-reasons.js';

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
const sums = (clicks: bigint) => ({ costMicros: clicks * 1_000n, clicks, impressions: clicks * 10n });
const aDay = (given: Partial<DifferingDay> = {}): DifferingDay => ({
  stream: 'campaign_daily',
  accountId: '1',
  day: '2026-10-01',
  state: 'final',
  rows: 3,
  loaded: sums(9n),
  platform: sums(10n),
  lastVerifiedAt: at(2),
  seenAt: at(4),
  changedAt: null,
  repairedAt: null,
  roundingMicros: 0n,
  ...given,
});
const roundedUp = { loaded: { ...sums(9n), costMicros: 15_000n }, platform: sums(10n) };
type Case = [
  text: string,
  kind: string,
  day: Partial<DifferingDay>,
  verification?: 'control_totals' | 'exact_rows' | 'share_of_total',
  isWhole?: boolean,
];

describe('a difference', () => {
  it.each<Case>([
    ['of a day that was last read while it could change', 'late', { state: 'provisional' }],
    ['of a total that changed after the load', 'restated', { changedAt: at(4) }],
    ['of a total that changed after the load of a part', 'restated', { changedAt: at(4) }, 'control_totals', false],
    ['of a total seen for the first time, if the rows were equal to the total when they were loaded', 'restated', {}],
    ['of a total seen for the first time, if only rows were counted', 'lost', {}, 'exact_rows'],
    ['of a total that was the same before the load', 'lost', { seenAt: at(1) }],
    ['of a day without any row', 'lost', { rows: 0, loaded: sums(0n) }],
    ['to a lower total', 'restated', { loaded: sums(11n) }, 'exact_rows'],
    ['of a stream that lists a part', 'excluded', {}, 'control_totals', false],
    ['that a repair did not change', 'excluded', { seenAt: at(1), repairedAt: at(1) }],
    [
      'of a part above the total that a repair did not change',
      'excluded',
      { loaded: sums(11n), repairedAt: at(1) },
      'share_of_total',
      false,
    ],
    [
      'of a part whose cost is above the total only by rounding',
      'excluded',
      { ...roundedUp, roundingMicros: 5_000n },
      'share_of_total',
      false,
    ],
    [
      'of a part whose cost is above the total by more than rounding',
      'restated',
      { ...roundedUp, roundingMicros: 4_999n },
      'share_of_total',
      false,
    ],
    ['of a repaired day that was not loaded since', 'lost', { seenAt: at(1), repairedAt: at(3) }],
  ])('%s is %s', (_, kind, day, verification = 'control_totals', isWhole = true) => {
    expect(classify(aDay(day), { verification }, { isWhole, isSettled: true }).kind).toBe(kind);
  });

  it('within the lookback window is late, whatever the numbers are', () => {
    for (const day of [{ rows: 0, loaded: sums(0n) }, { changedAt: at(4) }, { loaded: sums(11n) }])
      expect(classify(aDay(day), { verification: 'exact_rows' }, { isWhole: true, isSettled: false }).kind).toBe('late');
  });
});

describe('a reconciliation is skipped', () => {
  const connection = {
    desired: 'active' as const,
    sourceId: '1',
    provider: 'google_ads' as const,
    appId: '1',
    appName: 'Google Ads',
    appState: 'connected',
    appFailure: null,
    quota: null,
    streams: [],
    leftOut: {},
    lookbackDays: null,
    historyFrom: '2026-01-01',
    excludedAccounts: 0,
    unselectedAccounts: [],
  };
  it('when access is closed, before anything else is checked', () => {
    expect(skipReason({ ...connection, appState: 'revoked' }, true, true)).toMatchObject({ code: 'subscription.required' });
  });
  it('at night only as long as the quota is short', () => {
    const quota = (resetAt: Date) => ({ usedPercent: 80, resetAt: resetAt.toISOString(), at: at(0).toISOString() });
    const inAnHour = quota(new Date(Date.now() + 3_600_000));
    expect(skipReason({ ...connection, quota: inAnHour }, false, true)).toMatchObject({ class: 'quota' });
    expect(skipReason({ ...connection, quota: inAnHour }, false, false)).toBeNull();
    expect(skipReason({ ...connection, quota: quota(at(1)) }, false, true)).toBeNull();
  });
});
