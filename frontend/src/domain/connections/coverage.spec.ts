import { describe, expect, test } from 'vitest';
import { addDays } from '~/lib/dates';
import { gapsOf, toCells, worstState } from './coverage';
import type { CoverageState } from './coverage';

const days = (...states: CoverageState[]) => states.map((state, index) => ({ date: addDays('2026-11-01', index), state }));

describe('gaps', () => {
  test('nothing missing, no gap', () => expect(gapsOf(days('final', 'empty_confirmed', 'provisional'))).toEqual([]));
  test('a loading day ends a gap', () =>
    expect(gapsOf(days('missing', 'missing', 'loading', 'missing'))).toEqual([
      { from: '2026-11-01', to: '2026-11-02', days: 2, state: 'missing' },
      { from: '2026-11-04', to: '2026-11-04', days: 1, state: 'missing' },
    ]));
  test('failed days beside missing ones are a gap of their own', () =>
    expect(gapsOf(days('failed', 'missing')).map(({ state, days: count }) => [state, count])).toEqual([
      ['failed', 1],
      ['missing', 1],
    ]));
});

describe('cells', () => {
  test('a cell of several days shows the one that needs a look', () => {
    expect(worstState(days('final', 'failed', 'final'))).toBe('failed');
    expect(worstState(days('final', 'empty_confirmed'))).toBe('final');
    expect(worstState([])).toBe('missing');
  });
  test('the newest week is whole, the oldest takes the rest', () => {
    const cells = toCells(days(...Array.from({ length: 10 }, (): CoverageState => 'final')), 7, 99);
    expect(cells.map((cell) => cell.days.length)).toEqual([3, 7]);
    expect(cells.at(-1)).toMatchObject({ from: '2026-11-04', to: '2026-11-10' });
  });
  test('when they do not fit, the oldest days leave', () =>
    expect(toCells(days('failed', 'final', 'final'), 1, 2).map((cell) => cell.state)).toEqual(['final', 'final']));
});
