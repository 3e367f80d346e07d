import type { EstimateCost, EstimateMonth } from './connections.dto.js';

/** As in `sync/plan-slices`: days that are read, and committed, as a whole. */
export const SLICE_DAYS = 31;
/** As in `sync/plan-slices`: the whole look-back is read once a day, and by the other runs of that day its last days alone. */
export const RECENT_DAYS = 3;
/** Measured against the sandbox on two cores; a real platform's latency is added per call. */
const ROWS_PER_SECOND = 10_000;
const SECONDS_PER_CALL = 0.5;
const DAYS_PER_MONTH = 30;
/** From here on the look-back, and not what is new, is what a connection costs. */
const LOOKBACK_HEAVY = 10;
const SPARING_MINUTES = 360;
const SPARING_RUNS = (DAYS_PER_MONTH * 24 * 60) / SPARING_MINUTES;

/** What a few days of one account have taught about one stream. */
export interface StreamVolume {
  rowsPerDay: number;
  callsPerSlice: number;
}

export interface Volume {
  streams: StreamVolume[];
  accounts: number;
  /** Days a run reads again, today not counted. */
  lookbackDays: number;
  /** Whether every account is asked, once a day, how far back it may still change. */
  isLookbackAsked: boolean;
}

const rowsEachDay = ({ streams, accounts }: Volume): number =>
  streams.reduce((sum, { rowsPerDay }) => sum + rowsPerDay, 0) * accounts;

const slicesOf = (days: number): number => Math.ceil(days / SLICE_DAYS);

const callsFor = ({ streams, accounts }: Volume, days: number): number =>
  slicesOf(days) * streams.reduce((sum, { callsPerSlice }) => sum + callsPerSlice, 0) * accounts;

const minutesFor = ({ rows, apiCalls }: EstimateCost): number =>
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

/** Thirty days of a schedule. What is read a second time, today's rows too, is look-back. */
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
    apiCalls: callsFor(volume, 1) * runs,
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

/** Four runs a day instead, where most of what is read has been read before; null where that would save nothing to speak of. */
export function sparingMonth(volume: Volume, month: EstimateMonth): (EstimateMonth & { everyMinutes: number }) | null {
  const isHeavy = month.lookback.rows > LOOKBACK_HEAVY * month.newDays.rows;
  if (!isHeavy || month.runs <= SPARING_RUNS) return null;
  return { everyMinutes: SPARING_MINUTES, ...costOfMonth(volume, SPARING_RUNS) };
}
