import { describe, expect, test } from 'vitest';
import { cellFacts, cellText, daysToRepair } from './coverage-facts';
import type { LoadedDay } from './coverage-facts';

const day = (date: string, given: Partial<LoadedDay> = {}): LoadedDay => ({
  date,
  state: 'final',
  rows: 10,
  costMicros: '1500000',
  lastChangedAt: '2026-11-20T08:00:00Z',
  lastReadAt: '2026-11-21T08:00:00Z',
  runId: 'run-1',
  ...given,
});
const never = { rows: 0, costMicros: '0', lastChangedAt: null, lastReadAt: null, runId: null };

describe('the facts of a cell', () => {
  test('add rows and cost of its days in the currency of the account', () =>
    expect(cellFacts([day('2026-11-18'), day('2026-11-19')], 'JPY')).toMatchObject({ state: 'Final', rows: '20', cost: '¥3' }));
  test('show when the days were last read, and by which run', () =>
    expect(
      cellFacts([day('2026-11-18'), day('2026-11-19', { lastReadAt: '2026-11-22T08:00:00Z', runId: 'run-2' })], 'EUR'),
    ).toMatchObject({ lastReadAt: '2026-11-22T08:00:00Z', runId: 'run-2' }));
  test('claim no reading of a day that was never read', () =>
    expect(cellFacts([day('2026-11-18', { state: 'missing', ...never })], 'EUR')).toEqual({
      state: 'Missing',
      rows: '0',
      cost: '€0.00',
      lastReadAt: null,
      lastChangedAt: null,
      runId: null,
    }));
});

test('a repair covers the missing and failed days only', () => {
  const days = [
    day('2026-11-17'),
    day('2026-11-18', { state: 'missing' }),
    day('2026-11-19'),
    day('2026-11-20', { state: 'failed' }),
  ];
  expect(daysToRepair(days)).toEqual({ from: '2026-11-18', to: '2026-11-20' });
  expect(daysToRepair(days.slice(0, 1))).toBeNull();
});

test('rows without a currency, such as pushed events, have no cost', () =>
  expect(cellFacts([day('2026-11-18')], 'XXX')).toMatchObject({ rows: '10', cost: '—' }));

test('a cell is described in words, without a cost where there is none', () => {
  expect(cellText([day('2026-11-18', { rows: 1 })], 'EUR')).toBe('Final, 1 row, €1.50');
  expect(cellText([day('2026-11-18')], 'XXX')).toBe('Final, 10 rows');
});
