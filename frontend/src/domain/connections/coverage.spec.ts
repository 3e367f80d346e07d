import { describe, expect, test } from 'vitest';
import { addDays } from '~/lib/dates';
import { gapsOf, reasonOfGap, repairOfGap, toCells, worstState } from './coverage';
import type { CoverageState } from './coverage';

const days = (...states: CoverageState[]) => states.map((state, index) => ({ date: addDays('2026-11-01', index), state }));

describe('gaps', () => {
  test('returns no gap without missing days', () => expect(gapsOf(days('final', 'empty_confirmed', 'provisional'))).toEqual([]));
  test('ends a gap at a loading day', () =>
    expect(gapsOf(days('missing', 'missing', 'loading', 'missing'))).toEqual([
      { from: '2026-11-01', to: '2026-11-02', days: 2, state: 'missing' },
      { from: '2026-11-04', to: '2026-11-04', days: 1, state: 'missing' },
    ]));
  test('separates failed days from missing days', () =>
    expect(gapsOf(days('failed', 'missing')).map(({ state, days: count }) => [state, count])).toEqual([
      ['failed', 1],
      ['missing', 1],
    ]));
});

describe('cells', () => {
  test('shows the most severe state of several days', () => {
    expect(worstState(days('final', 'failed', 'final'))).toBe('failed');
    expect(worstState(days('final', 'empty_confirmed'))).toBe('final');
    expect(worstState([])).toBe('missing');
  });
  test('fills the newest week and puts the remaining days into the oldest', () => {
    const cells = toCells(days(...Array.from({ length: 10 }, (): CoverageState => 'final')), 7, 99);
    expect(cells.map((cell) => cell.days.length)).toEqual([3, 7]);
    expect(cells.at(-1)).toMatchObject({ from: '2026-11-04', to: '2026-11-10' });
  });
  test('drops the oldest days that do not fit', () =>
    expect(toCells(days('failed', 'final', 'final'), 1, 2).map((cell) => cell.state)).toEqual(['final', 'final']));
});

const facts = { health: 'partial', activeRun: null, failure: { message: 'Northwind US: access was denied' } };

test('names the account of a failed gap once', () => {
  expect(reasonOfGap('failed', 'Northwind US', facts)).toBe('Failed: access was denied');
  expect(reasonOfGap('failed', 'Northwind DE', facts)).toBe('Failed: Northwind US: access was denied');
});

test('offers what fills a gap', () => {
  expect(repairOfGap('failed', facts)).toBe('repair');
  expect(repairOfGap('missing', facts)).toBe('repair');
  expect(repairOfGap('missing', { ...facts, activeRun: {} })).toBeNull();
  expect(repairOfGap('missing', { ...facts, health: 'needs_reauth' })).toBe('restore_access');
});
