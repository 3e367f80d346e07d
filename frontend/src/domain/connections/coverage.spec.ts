import { describe, expect, test } from 'vitest';
import { addDays } from '~/lib/dates';
import { gapsOf, reasonOfGap, repairOfGap, toCells, toColumns, worstState } from './coverage';
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
  const cellsOf = (part: ReturnType<typeof days>, daysPerCell: number, maxCells: number) =>
    toCells(part, toColumns([part], daysPerCell, maxCells));
  test('fills the newest week and puts the remaining days into the oldest', () => {
    const cells = cellsOf(days(...Array.from({ length: 10 }, (): CoverageState => 'final')), 7, 99);
    expect(cells.map((cell) => cell?.days.length)).toEqual([3, 7]);
    expect(cells.at(-1)).toMatchObject({ from: '2026-11-04', to: '2026-11-10' });
  });
  test('drops the oldest days that do not fit', () =>
    expect(cellsOf(days('failed', 'final', 'final'), 1, 2).map((cell) => cell?.state)).toEqual(['final', 'final']));
  test('are in the column of their day, also where today has begun in some accounts only', () => {
    const berlin = days('final', 'final', 'provisional');
    const newYork = berlin.slice(0, 2);
    const columns = toColumns([newYork, berlin], 1, 2);
    expect(columns.map(({ from }) => from)).toEqual(['2026-11-02', '2026-11-03']);
    expect(toCells(berlin, columns).map((cell) => cell?.from)).toEqual(['2026-11-02', '2026-11-03']);
    expect(toCells(newYork, columns).map((cell) => cell?.from)).toEqual(['2026-11-02', undefined]);
  });
  test('have no columns without days', () => expect(toColumns([[], []], 1, 9)).toEqual([]));
});

const facts = { health: 'partial', activeRun: null };

describe('reason of a gap', () => {
  const gap = { stream: 'ads', accountId: '1', from: '2026-11-25', to: '2026-11-25', days: 1, state: 'failed' as const };
  const slice = (accountId: string, accountName: string, message: string, from = '2026-11-01') => ({
    ...{ stream: 'ads', accountId, accountName, from, to: '2026-11-30', failure: { message } },
  });
  const us = slice('1', 'Northwind US', 'Northwind US, Nov 25, 2026: 12 of 257 rows are missing.');
  const outlet = slice('2', 'Northwind Outlet', 'Northwind Outlet: access was denied');

  test('is the failure of its own account, whose name it does not repeat', () => {
    expect(reasonOfGap(gap, facts, [us, outlet])).toBe('Failed: 12 of 257 rows are missing.');
    expect(reasonOfGap({ ...gap, accountId: '2' }, facts, [us, outlet])).toBe('Failed: access was denied');
  });
  test('is not the failure of another account, stream or period', () => {
    const unknown = 'Failed: these days could not be loaded';
    expect(reasonOfGap({ ...gap, accountId: '3' }, facts, [us, outlet])).toBe(unknown);
    expect(reasonOfGap({ ...gap, stream: 'campaigns' }, facts, [us])).toBe(unknown);
    expect(reasonOfGap({ ...gap, from: '2026-10-02', to: '2026-10-03' }, facts, [us])).toBe(unknown);
  });
  test('keeps a message that has a colon but no account', () =>
    expect(reasonOfGap(gap, facts, [slice('1', 'Northwind US', 'Google: quota')])).toBe('Failed: Google: quota'));
  test('of missing days depends on the active run', () => {
    const missing = { ...gap, state: 'missing' as const };
    expect(reasonOfGap(missing, facts, [us])).toBe('Missing: not loaded yet');
    expect(reasonOfGap(missing, { activeRun: {} }, [us])).toBe('Missing: not reached by the active run yet');
  });
});

test('offers what fills a gap', () => {
  expect(repairOfGap('failed', facts)).toBe('repair');
  expect(repairOfGap('missing', facts)).toBe('repair');
  expect(repairOfGap('missing', { ...facts, activeRun: {} })).toBeNull();
  expect(repairOfGap('missing', { ...facts, health: 'needs_reauth' })).toBe('restore_access');
});
