import { describe, expect, test } from 'vitest';
import type { RunSummary } from '~/api/types';
import { foldRuns, kindText, lastEnded, noteOf, resultOf, totalsOf, windowText } from './describe-run';

const run = (given: Partial<RunSummary> = {}) =>
  ({ kind: 'scheduled', state: 'succeeded', failure: null, verify: null, quotaWaitMs: 0, ...given }) as RunSummary;

const sums = { rows: 10, costMicros: '1' };

test('the days of a run are counted if it leaves out days between them', () => {
  const at = (days: number) =>
    windowText({ window: { from: '2026-11-01', to: '2026-11-30', days } }, new Date('2026-12-01T09:00:00Z'));
  expect(at(30)).toBe('Nov 1 – 30');
  expect(at(4)).toBe('4 days in Nov 1 – 30');
  expect(at(1)).toBe('1 day in Nov 1 – 30');
});

describe('the note of a run', () => {
  test('shows why a run failed', () =>
    expect(
      noteOf(
        run({
          state: 'failed',
          failure: {
            class: 'permission',
            code: 'c',
            message: 'Access to Meta Ads has expired.',
            action: 'a',
            providerRequestId: null,
          },
        }),
      ),
    ).toBe('Access to Meta Ads has expired.'));
  test('shows found and expected rows when rows are missing', () =>
    expect(
      noteOf(run({ state: 'unverified', verify: { rows: false, cost: true, expected: sums, found: { ...sums, rows: 8 } } })),
    ).toBe('8 of 10 rows found'));
  test('reports a match only for verified runs', () => {
    expect(noteOf(run())).toBe('');
    expect(noteOf(run({ verify: { rows: true, cost: true, expected: sums, found: sums } }))).toBe('Source and destination match');
  });
});

test('the last run is the one that ended last, not one that is active or was only queued last', () => {
  const lost = run({ id: 'lost', state: 'partial', queuedAt: '2026-11-28T10:00:00.000Z', endedAt: '2026-11-28T10:02:00.000Z' });
  const repair = run({ id: 'repair', kind: 'repair', queuedAt: '2026-11-28T10:03:00.000Z', endedAt: '2026-11-28T10:04:00.000Z' });
  const short = run({ id: 'short', queuedAt: '2026-11-28T10:01:00.000Z', endedAt: '2026-11-28T10:01:30.000Z' });
  const active = run({ id: 'active', state: 'running', queuedAt: '2026-11-28T10:05:00.000Z', endedAt: null });
  expect(lastEnded([active, repair, lost])?.id).toBe('repair');
  expect(lastEnded([short, lost])?.id).toBe('lost');
  expect(lastEnded([active])).toBeUndefined();
});

test('counts the rows of a verified run, and names what another run lacks', () => {
  expect(resultOf(run({ verify: { rows: true, cost: true, expected: sums, found: sums } }))).toBe(
    '10 of 10 rows counted at the destination',
  );
  expect(resultOf(run({ state: 'skipped' }))).toBe('');
  const failure = {
    class: 'destination',
    code: 'x',
    message: 'The table is locked.',
    action: 'Run again',
    providerRequestId: null,
  };
  expect(resultOf(run({ state: 'failed', failure }))).toBe('The table is locked.');
  expect(
    resultOf(run({ state: 'partial', verify: { rows: false, cost: true, expected: sums, found: { ...sums, rows: 8 } } })),
  ).toBe('8 of 10 rows found');
});

test('does not repeat a failure that the notice of the page shows', () => {
  const failure = { class: 'destination', code: 'x', message: 'The table is locked.', action: 'a', providerRequestId: null };
  const failed = run({ state: 'failed', failure });
  expect(noteOf(failed, 'The table is locked.')).toBe('Reason above');
  expect(resultOf(failed, 'The table is locked.')).toBe('Reason above');
  expect(noteOf(failed, 'The host was not found.')).toBe('The table is locked.');
});

test('calls only a run before which nothing was loaded the initial load, however many days another one reads', () => {
  expect(kindText(run({ kind: 'manual', isInitialLoad: true }))).toBe('Initial load');
  expect(kindText(run({ kind: 'catch_up', isInitialLoad: true }))).toBe('Initial load');
  expect(kindText(run({ kind: 'manual', isInitialLoad: false }))).toBe('Manual');
  expect(kindText(run({ kind: 'scheduled', isInitialLoad: false }))).toBe('Scheduled');
});

describe('folding', () => {
  test('folds four equal runs, but not three', () => {
    expect(foldRuns([run(), run(), run()])).toHaveLength(3);
    expect(foldRuns([run(), run(), run(), run()])).toHaveLength(1);
  });
  test('does not fold runs with a different run in between', () =>
    expect(foldRuns([run(), run(), run({ kind: 'manual' }), run(), run()])).toHaveLength(5));
  test('counts the rows, rejected rows and API calls of all folded runs', () => {
    const runs = [1, 20, 300, 4_000].map((count) => run({ rowsWritten: count, rowsRejected: 1, apiCalls: 2 }));
    expect(totalsOf(foldRuns(runs)[0]!.runs)).toEqual({ rowsWritten: '4,321', rowsRejected: '4', apiCalls: '8' });
  });
  test('shows no number of rows for runs that loaded nothing because they were skipped', () =>
    expect(totalsOf([run({ state: 'skipped', rowsWritten: 0, rowsRejected: 0, apiCalls: 0 })]).rowsWritten).toBe('—'));
  test('does not fold active runs', () =>
    expect(foldRuns(Array.from({ length: 5 }, () => run({ state: 'running' })))).toHaveLength(5));
});
