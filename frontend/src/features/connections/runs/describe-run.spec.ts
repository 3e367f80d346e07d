import { describe, expect, test } from 'vitest';
import type { RunSummary } from '~/api/types';
import { foldRuns, noteOf } from './describe-run';

const run = (given: Partial<RunSummary> = {}) =>
  ({ kind: 'scheduled', state: 'succeeded', failure: null, verify: null, quotaWaitMs: 0, ...given }) as RunSummary;

const sums = { rows: 10, costMicros: '1' };

describe('the note of a run', () => {
  test('a failed run names its class', () =>
    expect(
      noteOf(
        run({ state: 'failed', failure: { class: 'permission', code: 'c', message: 'm', action: 'a', providerRequestId: null } }),
      ),
    ).toBe('Permission'));
  test('missing rows are counted at both ends', () =>
    expect(
      noteOf(run({ state: 'unverified', verify: { rows: false, cost: true, expected: sums, found: { ...sums, rows: 8 } } })),
    ).toBe('8 of 10 rows found'));
  test('equal at both ends is said only when it was verified', () => {
    expect(noteOf(run())).toBe('');
    expect(noteOf(run({ verify: { rows: true, cost: true, expected: sums, found: sums } }))).toBe('Equal at both ends');
  });
});

describe('folding', () => {
  test('three alike stay three lines, four become one', () => {
    expect(foldRuns([run(), run(), run()])).toHaveLength(3);
    expect(foldRuns([run(), run(), run(), run()])).toHaveLength(1);
  });
  test('a different one in between keeps them apart', () =>
    expect(foldRuns([run(), run(), run({ kind: 'manual' }), run(), run()])).toHaveLength(5));
  test('runs that still move are never folded', () =>
    expect(foldRuns(Array.from({ length: 5 }, () => run({ state: 'running' })))).toHaveLength(5));
});
