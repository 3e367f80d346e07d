import { describe, expect, test } from 'vitest';
import type { Connection, DailyTotals, RunSummary } from '~/api/types';
import { gapsOf, noGapsText, isBehind, worstState, coverageWords } from '~/domain/connections/coverage';
import type { CoverageState } from '~/domain/connections/coverage';
import { chunksText, endText, stepStateOf, stepStateWord, stepText, verdictOf } from '~/domain/connections/run-facts';
import type { RunFacts, VerificationFacts } from '~/domain/connections/run-facts';
import { describeProgress, RUN_STEPS } from '~/domain/connections/run-progress';
import { reasonText } from './describe-connection';
import { completeFigure, costFigure, rowsFigure, runsFigure } from './overview/describe-figures';

/** Every sentence about a state is made from facts: the facts are given here, and the sentence is compared. */

const now = new Date('2026-11-21T09:00:00Z');

describe('health', () => {
  const connection = (given: object) =>
    ({ health: 'healthy', healthReason: 'Every row verified', activeRun: null, ...given }) as Connection;
  const waiting = (failure: object | null) => ({
    state: 'waiting',
    step: 'load',
    slicesDone: 1,
    slicesTotal: 4,
    isStuck: false,
    failure,
  });
  test.each([
    ['nothing runs', {}, 'Every row verified'],
    [
      'the destination refuses all sessions',
      {
        health: 'failing',
        healthReason: 'PostgreSQL refused the connection.',
        activeRun: waiting({ class: 'transient', code: 'postgresql.too_many_connections' }),
      },
      'PostgreSQL refused the connection.',
    ],
    [
      'the destination refused a session once',
      { activeRun: waiting({ class: 'transient', code: 'postgresql.too_many_connections' }) },
      'Waiting to retry, 25%',
    ],
    [
      'the platform throttles',
      { health: 'rate_limited', activeRun: waiting({ class: 'quota', code: 'meta_ads.quota' }) },
      'Waiting for quota, 25%',
    ],
    [
      'data is late while a run is active',
      { health: 'stale', healthReason: '2 days behind', activeRun: waiting(null) },
      '2 days behind',
    ],
  ])('when %s', (_when, given, sentence) => expect(reasonText(connection(given))).toBe(sentence));
});

const run = (given: Partial<RunFacts> = {}): RunFacts => ({
  state: 'succeeded',
  step: 'verify',
  slicesDone: 12,
  slicesTotal: 12,
  slicesFailed: 0,
  slicesSkipped: 0,
  rowsRead: 960,
  apiCalls: 9,
  bytes: 4_968_000,
  failure: null,
  verification: [{ slicesCompared: 9 }, { slicesCompared: 3 }],
  verify: { rows: true, cost: true, expected: { rows: 960 }, found: { rows: 960 } },
  ...given,
});
const verifyOf = (found: number): RunFacts['verify'] => ({
  rows: found === 960,
  cost: true,
  expected: { rows: 960 },
  found: { rows: found },
});

describe('a run', () => {
  test.each<[string, RunFacts, string, string]>([
    ['succeeded', run(), '12 of 12 loaded', 'done done done done done done'],
    [
      'skipped an account',
      run({ state: 'partial', slicesSkipped: 3, verification: [{ slicesCompared: 9 }, { slicesCompared: 0 }] }),
      '9 of 12 loaded, 3 skipped',
      'done partly partly partly partly partly',
    ],
    [
      'lost rows in one chunk',
      run({ state: 'partial', slicesFailed: 1, verify: verifyOf(908) }),
      '11 of 12 loaded, 1 failed',
      'done done done done failed partly',
    ],
    [
      'lost rows in every chunk',
      run({ state: 'failed', slicesFailed: 12, verify: verifyOf(0) }),
      '0 of 12 loaded, 12 failed',
      'done done done done failed not_reached',
    ],
    [
      'could read nothing',
      run({ state: 'failed', slicesFailed: 12, rowsRead: 0, verify: null, verification: [] }),
      '0 of 12 loaded, 12 failed',
      'done failed not_reached not_reached not_reached not_reached',
    ],
    [
      'was canceled while it read the first chunks',
      run({ state: 'cancelled', step: 'extract', slicesSkipped: 12, rowsRead: 0, verify: null, verification: [] }),
      '0 of 12 loaded, 12 skipped',
      'done stopped not_reached not_reached not_reached not_reached',
    ],
    [
      'failed before it was planned',
      run({ state: 'failed', step: 'plan', slicesDone: 0, slicesTotal: 0, rowsRead: 0, verify: null, verification: [] }),
      '0 of 0 loaded',
      'failed not_reached not_reached not_reached not_reached not_reached',
    ],
    [
      'is loading',
      run({ state: 'running', step: 'load', slicesDone: 4, verify: null, verification: [] }),
      '4 of 12',
      'done active active active active pending',
    ],
  ])('that %s', (_what, facts, chunks, states) => {
    expect(chunksText(facts)).toBe(chunks);
    expect(RUN_STEPS.map((step) => stepStateOf(step, facts)).join(' ')).toBe(states);
  });

  test('has no step that is still to come once it has ended', () => {
    for (const state of ['succeeded', 'partial', 'unverified', 'failed', 'cancelled', 'skipped'] as const)
      for (const slicesTotal of [0, 12])
        for (const step of RUN_STEPS) {
          const facts = run({
            state,
            step,
            slicesTotal,
            slicesDone: slicesTotal,
            slicesFailed: slicesTotal,
            verify: null,
            verification: [],
          });
          const words = RUN_STEPS.map((one) => stepStateWord[stepStateOf(one, facts)]);
          expect(words).not.toContain('pending');
          expect(words).not.toContain('in progress');
        }
  });

  test('names the result of each step', () => {
    const facts = run({ state: 'partial', slicesSkipped: 3, verify: verifyOf(960) });
    expect(RUN_STEPS.map((step) => stepText(step, facts))).toEqual([
      '12 chunks',
      '960 rows in 9 API calls',
      '5.0 MB staged',
      '9 of 12 loaded, 3 skipped, each chunk in one transaction',
      '960 of 960 rows counted at the destination',
      'Coverage updated for 9 chunks',
    ]);
  });

  test('names what it waits for', () => {
    const facts = { state: 'waiting', step: null, slicesDone: 0, slicesTotal: 0 } as const;
    expect(describeProgress({ ...facts, failure: { class: 'transient', code: 'postgresql.unreachable' } })).toBe(
      'Waiting to retry',
    );
    expect(describeProgress({ ...facts, failure: { class: 'quota', code: 'google_ads.http_429' } })).toBe('Waiting for quota');
  });
});

describe('the comparison of an account', () => {
  const compared: VerificationFacts = {
    rowsExpected: 960,
    rowsFound: 960,
    costMicrosExpected: '5000000',
    costMicrosFound: '5000000',
    isEqual: true,
    slices: 3,
    slicesCompared: 3,
    slicesLate: 0,
  };
  const unread = { rowsExpected: 0, rowsFound: 0, costMicrosExpected: '0', costMicrosFound: '0', isEqual: false };
  test.each<[string, Partial<VerificationFacts>, string, string]>([
    ['everything is equal', {}, 'Match', 'good'],
    ['nothing was read', { ...unread, slicesCompared: 0 }, 'Not read', 'idle'],
    ['one of its chunks was not read', { isEqual: false, slicesCompared: 2 }, 'Match, 1 of 3 chunks not read', 'warn'],
    ['rows are missing', { isEqual: false, rowsFound: 819 }, '141 missing', 'danger'],
    ['there are too many rows', { isEqual: false, rowsFound: 961 }, '1 extra', 'danger'],
    ['only the cost differs', { isEqual: false, costMicrosFound: '4000000' }, 'Cost differs', 'danger'],
    ['other columns differ', { isEqual: false }, 'Other values differ', 'danger'],
    ['rows do not show yet', { isEqual: false, rowsFound: 700, slicesLate: 1 }, '1 of 3 chunks not verified yet', 'warn'],
  ])('when %s', (_when, given, text, tone) => expect(verdictOf({ ...compared, ...given })).toEqual({ text, tone }));
});

describe('the end of a run', () => {
  const run = {
    state: 'succeeded' as const,
    rowsRead: 960,
    rowsWritten: 960,
    slicesTotal: 12,
    startedAt: '2026-11-21T08:59:55Z',
    updatedAt: '2026-11-21T09:00:00Z',
  };
  test.each([
    ['all rows were verified', {}, 'Search: 960 rows verified, 12 chunks in 5 s'],
    ['rows are missing', { state: 'partial', rowsWritten: 819 }, 'Search: run partial, 819 of 960 rows found. 141 rows missing'],
    ['nothing was read', { state: 'failed', rowsRead: 0, rowsWritten: 0 }, 'Search: run failed. 141 rows missing'],
    ['it was canceled', { state: 'cancelled', rowsWritten: 400 }, 'Search: run canceled, 400 rows loaded'],
    ['there was nothing to load', { state: 'skipped', rowsRead: 0, rowsWritten: 0 }, 'Search: nothing to load'],
  ] as const)('has its counts when %s', (_when, given, text) =>
    expect(endText('Search', { ...run, ...given }, '141 rows missing')).toBe(text),
  );
});

describe('coverage', () => {
  const days = (...states: CoverageState[]) => states.map((state, index) => ({ date: `2026-11-${18 + index}`, state }));
  test.each<[string, CoverageState[], string | null, boolean]>([
    ['the last ended day is complete', ['final', 'provisional', 'provisional', 'provisional'], '2026-11-20', false],
    ['a western account’s last day waits for a run', ['final', 'provisional', 'provisional', 'missing'], '2026-11-19', false],
    ['a day is missing', ['final', 'provisional', 'missing', 'provisional'], '2026-11-19', true],
    ['several days wait', ['final', 'provisional', 'provisional', 'provisional'], '2026-11-18', true],
    ['no day is complete', ['missing', 'missing', 'missing', 'missing'], null, true],
  ])('is behind or not when %s', (_when, states, completeThrough, expected) =>
    expect(isBehind(days(...states), completeThrough, '2026-11-21')).toBe(expected),
  );
  test('names the worst state of several days, and its gaps', () => {
    const facts = days('final', 'failed', 'missing', 'provisional');
    expect(coverageWords[worstState(facts)]).toBe('Failed');
    expect(gapsOf(facts).map(({ from, state }) => `${from} ${state}`)).toEqual(['2026-11-19 failed', '2026-11-20 missing']);
  });
  test('names days without gaps that are being loaded', () => {
    expect(noGapsText([days('final', 'provisional')])).toBe('No gaps. All days in this range are loaded.');
    expect(noGapsText([days('final'), days('loading')])).toBe('No gaps. 1 account-day is being loaded.');
    expect(noGapsText([days('loading', 'loading')])).toBe('No gaps. 2 account-days are being loaded.');
  });
});

describe('the figures', () => {
  const LOADING = { data: undefined, error: undefined };
  const FAILED = { data: undefined, error: new Error('offline') };
  const accounts = [{ timeZone: 'Europe/Berlin' }, { timeZone: 'America/New_York' }];
  const complete = (completeThrough: string | null, at = now) =>
    completeFigure({ source: { accounts }, completeThrough } as Connection, at);
  const daily = (given: Partial<DailyTotals> = {}): DailyTotals => ({
    currency: 'USD',
    isMixedCurrency: false,
    currencies: [{ currency: 'USD', costMicros: '12500000', convertedMicros: '12500000' }],
    days: [{ date: '2026-11-20', rows: 1_200, provisionalRows: 1_200, costMicros: '12500000', isProvisional: true }],
    runs: [],
    ...given,
  });
  const loaded = <Data>(data: Data) => ({ data, error: undefined });

  test('complete through: a day that is not over in America is not late', () => {
    // 03:00 in Berlin is 21:00 of the previous day in New York.
    expect(complete('2026-11-19', new Date('2026-11-21T02:00:00Z'))).toEqual({
      value: 'Thu, Nov 19',
      note: 'the last day that has ended',
    });
    expect(complete('2026-11-20')).toMatchObject({ note: 'the last day that has ended' });
    expect(complete('2026-11-19')).toMatchObject({ note: 'Nov 20 not read since it ended' });
    expect(complete('2026-11-15')).toMatchObject({ note: '5 days behind' });
    expect(complete(null)).toEqual({ value: '—', note: 'no complete day yet' });
  });

  test('complete through: its day does not move with the clock', () => {
    expect(complete('2026-11-19', new Date('2026-11-21T04:59:00Z')).value).toBe('Thu, Nov 19');
    expect(complete('2026-11-19', new Date('2026-11-21T05:01:00Z')).value).toBe('Thu, Nov 19');
  });

  test('claim nothing while they are loading, and say so if they could not be loaded', () => {
    for (const figure of [rowsFigure(LOADING, LOADING), costFigure(LOADING), runsFigure(LOADING)])
      expect(figure).toEqual({ value: undefined, note: undefined });
    for (const figure of [rowsFigure(FAILED, FAILED), costFigure(FAILED), runsFigure(FAILED)])
      expect(figure).toEqual({ value: '—', note: 'could not be loaded' });
    // Rows are known, rejected rows are not.
    expect(rowsFigure(loaded(daily()), LOADING)).toEqual({ value: '1,200', note: undefined });
  });

  test('rows and runs', () => {
    const runs = [
      { state: 'succeeded', rowsRejected: 0 },
      { state: 'partial', rowsRejected: 3 },
      { state: 'running', rowsRejected: 0 },
    ] as RunSummary[];
    expect(rowsFigure(loaded(daily()), loaded(runs))).toEqual({ value: '1,200', note: '3 rejected in the last 3 runs' });
    expect(rowsFigure(loaded(daily()), loaded(runs.slice(0, 1))).note).toBe('0 rejected in the last run');
    expect(runsFigure(loaded(runs))).toEqual({ value: '1 of 2', note: 'rows and cost of the last run match' });
    expect(runsFigure(loaded(runs.slice(1)))).toEqual({ value: '0 of 1', note: 'last run: partial' });
    expect(runsFigure(loaded([] as RunSummary[]))).toEqual({ value: '—', note: 'no completed run yet' });
  });

  test('cost in one currency, in several, and without an exchange rate', () => {
    expect(costFigure(loaded(daily()))).toEqual({ value: '$12.50', note: 'USD' });
    const usd = { currency: 'USD', costMicros: '1000000', convertedMicros: '1000000' };
    const mixed = {
      isMixedCurrency: true,
      currencies: [{ currency: 'EUR', costMicros: '1000000', convertedMicros: '1100000' }, usd],
    };
    expect(costFigure(loaded(daily(mixed)))).toEqual({ value: '$2.10', note: '2 currencies, shown in USD' });
    const yen = { currency: 'JPY', costMicros: '9000000', convertedMicros: null };
    expect(costFigure(loaded(daily({ isMixedCurrency: true, currencies: [yen, usd] })))).toEqual({
      value: '—',
      note: 'no exchange rate for JPY',
    });
  });

  test('the cost is unknown before the first rows are loaded', () =>
    expect(
      costFigure(loaded(daily({ days: [], currencies: [{ currency: 'USD', costMicros: '0', convertedMicros: '0' }] }))),
    ).toEqual({
      value: '—',
      note: 'no rows loaded yet',
    }));

  test('rows without a currency have no cost', () =>
    expect(costFigure(loaded(daily({ currency: 'XXX' })))).toEqual({ value: '—', note: 'these rows have no cost' }));
});
