import { describe, expect, it } from 'vitest';
import { costOfFirstLoad, costOfMonth, rowsOfMonth, sparingMonth, type Volume } from './cost-of-connection.js';

const volume: Volume = {
  streams: [
    { rowsPerDay: 100, callsPerSlice: 1 },
    { rowsPerDay: 20, callsPerSlice: 3 },
  ],
  accounts: 2,
  lookbackDays: 30,
  isLookbackAsked: true,
};
const HOURLY = 720;

it('counts the rows of 30 new days of a stream over all accounts', () =>
  expect(rowsOfMonth({ rowsPerDay: 2.5, callsPerSlice: 1 }, 4)).toBe(300));

describe('costOfMonth', () => {
  it('is zero without scheduled runs', () => {
    const nothing = { rows: 0, apiCalls: 0 };
    expect(costOfMonth(volume, 0)).toMatchObject({ ...nothing, newDays: nothing, lookback: nothing });
    expect(sparingMonth(volume, costOfMonth(volume, 0))).toBeNull();
  });

  it('separates new days from repeated reads, and the parts add up', () => {
    const month = costOfMonth(volume, HOURLY);
    expect(month.newDays).toEqual({ rows: 240 * 30, apiCalls: 8 * 30 });
    // The whole lookback window once a day; today and three days before by the other runs.
    expect(month.rows).toBe(240 * (31 * 30 + 4 * (HOURLY - 30)));
    expect(month.apiCalls).toBe((8 + 2) * 30 + 8 * (HOURLY - 30));
    expect(month.lookback.rows + month.newDays.rows).toBe(month.rows);
    expect(month.lookback.apiCalls + month.newDays.apiCalls).toBe(month.apiCalls);
  });

  it('counts calls per slice, and no lookback calls if the lookback is set', () => {
    expect(costOfMonth({ ...volume, isLookbackAsked: false }, 1).lookback.apiCalls).toBe(0);
    expect(costOfMonth({ ...volume, lookbackDays: 31, isLookbackAsked: false }, 1).lookback.apiCalls).toBe(8);
  });

  it('offers fewer runs with their cost if most reads are repeated', () => {
    const month = costOfMonth(volume, HOURLY);
    const sparing = sparingMonth(volume, month);
    expect(sparing).toMatchObject({ everyMinutes: 360, runs: 120, rows: 240 * (31 * 30 + 4 * 90) });
  });

  it('offers nothing if few reads are repeated or runs are few', () => {
    const short = { ...volume, lookbackDays: 0 };
    expect(sparingMonth(short, costOfMonth(short, 30))).toBeNull();
    expect(sparingMonth(volume, costOfMonth(volume, 30))).toBeNull();
  });
});

it('splits the first load into slices of at most 31 days', () => {
  expect(costOfFirstLoad(volume, 62)).toMatchObject({ slices: 8, rows: 240 * 62, apiCalls: 2 * 8 + 2 });
});
