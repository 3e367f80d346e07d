import type { EstimateCost, EstimateMonth } from './estimate.dto.js';

/** As in `sync/plan-slices`: days that are read and committed together. */
export const SLICE_DAYS = 31;
/** As in `sync/plan-slices`: one run a day reads the whole lookback window, the other runs read only its last days. */
export const RECENT_DAYS = 3;
/** Measured against the sandbox on two cores. A real platform adds its latency to each call. */
const ROWS_PER_SECOND = 10_000;
const SECONDS_PER_CALL = 0.5;
const DAYS_PER_MONTH = 30;
/** From this ratio on, the lookback window causes most of the cost. */
const LOOKBACK_HEAVY = 10;
const SPARING_MINUTES = 360;
const SPARING_RUNS = (DAYS_PER_MONTH * 24 * 60) / SPARING_MINUTES;

/** Volume of one stream, measured with 7 days of one account. */
export interface StreamVolume {
  rowsPerDay: number;
  callsPerSlice: number;
}

export interface Volume {
  streams: StreamVolume[];
  accounts: number;
  /** Days that a run reads again, without today. */
  lookbackDays: number;
  /** Whether the lookback window of every account is requested once a day. */
  isLookbackAsked: boolean;
}

const rowsEachDay = ({ streams, accounts }: Volume): number =>
  streams.reduce((sum, { rowsPerDay }) => sum + rowsPerDay, 0) * accounts;

/** Rows of 30 new days of one stream. */
export const rowsOfMonth = ({ rowsPerDay }: StreamVolume, accounts: number): number =>
  Math.round(rowsPerDay * accounts * DAYS_PER_MONTH);

const slicesOf = (days: number): number => Math.ceil(days / SLICE_DAYS);

const callsFor = ({ streams, accounts }: Volume, days: number): number =>
  slicesOf(days) * streams.reduce((sum, { callsPerSlice }) => sum + callsPerSlice, 0) * accounts;

export const minutesFor = ({ rows, apiCalls }: EstimateCost): number =>
  Math.ceil((rows / ROWS_PER_SECOND + apiCalls * SECONDS_PER_CALL) / 60);

export function costOfFirstLoad(volume: Volume, days: number): EstimateCost & { slices: number; minutes: number } {
  const rows = Math.round(rowsEachDay(volume) * days);
  const apiCalls = callsFor(volume, days) + volume.accounts;
  return {
    slices: slicesOf(days) * volume.streams.length * volume.accounts,
    rows,
    apiCalls,
    minutes: minutesFor({ rows, apiCalls }),
  };
}

/** 30 days of a schedule. Repeated reads, including today's, count as lookback: rows and calls of new data are counted once a day. */
export function costOfMonth(volume: Volume, runs: number): EstimateMonth {
  const isRunning = runs > 0;
  const each = { rows: rowsEachDay(volume) * (volume.lookbackDays + 1), apiCalls: callsOfRun(volume) };
  const wholeRuns = Math.min(runs, DAYS_PER_MONTH);
  const recentDays = Math.min(volume.lookbackDays, RECENT_DAYS) + 1;
  const total = {
    rows: Math.round(each.rows * wholeRuns + rowsEachDay(volume) * recentDays * (runs - wholeRuns)),
    apiCalls: each.apiCalls * wholeRuns + callsFor(volume, recentDays) * (runs - wholeRuns),
  };
  const newDays = {
    rows: isRunning ? Math.min(total.rows, Math.round(rowsEachDay(volume) * DAYS_PER_MONTH)) : 0,
    apiCalls: callsFor(volume, 1) * wholeRuns,
  };
  return {
    runs,
    newDays,
    lookback: { rows: total.rows - newDays.rows, apiCalls: total.apiCalls - newDays.apiCalls },
    ...total,
    minutesPerRun: minutesFor(each),
  };
}

const callsOfRun = (volume: Volume): number =>
  callsFor(volume, volume.lookbackDays + 1) + (volume.isLookbackAsked ? volume.accounts : 0);

/** Proposes four runs a day if most reads are repeated; null if that would save little. */
export function sparingMonth(volume: Volume, month: EstimateMonth): (EstimateMonth & { everyMinutes: number }) | null {
  const isHeavy = month.lookback.rows > LOOKBACK_HEAVY * month.newDays.rows;
  if (!isHeavy || month.runs <= SPARING_RUNS) return null;
  return { everyMinutes: SPARING_MINUTES, ...costOfMonth(volume, SPARING_RUNS) };
}
