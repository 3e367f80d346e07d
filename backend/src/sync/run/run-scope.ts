import type { Day } from '../../connectors/kit/contract.js';
import { addDays, listDays } from '../../connectors/kit/days.js';
import type { Days } from './day-ranges.js';
import { coverageKey, type PlannedSlice, ranges } from './plan-slices.js';

/** The days that a reload or a backfill reads. Other runs select their days themselves. */
export interface RunScope {
  /** Reads every day of the ranges again. Otherwise days that are loaded are left out. */
  isReplace: boolean;
  /** Up to 31 days each. */
  ranges: PlannedSlice[];
  /** Loads into a new table. Absent: into the table of the stream. */
  resync?: ResyncScope;
}

export interface ResyncScope {
  /** Id of the backfill. */
  id: string;
  stream: string;
  /** Reads the days that the old table got meanwhile, then swaps the tables. */
  isSwap: boolean;
}

/** @param earliest first day that the platform still has; null: no limit */
export function planScope(scope: RunScope, settledDays: Map<string, Days>, earliest: Day | null): PlannedSlice[] {
  return scope.ranges.flatMap(({ stream, accountId, from, to }) => {
    const settled = scope.isReplace ? undefined : settledDays.get(coverageKey(stream, accountId));
    const days = listDays(from, to).filter((day) => !settled?.has(day) && (earliest === null || day >= earliest));
    return ranges(days).map((range) => ({ stream, accountId, ...range }));
  });
}

const overlaps = (slice: PlannedSlice, other: PlannedSlice): boolean =>
  slice.stream === other.stream && slice.accountId === other.accountId && slice.from <= other.to && other.from <= slice.to;

export const withoutBusySlices = (slices: PlannedSlice[], busy: PlannedSlice[]): PlannedSlice[] =>
  slices.filter((slice) => !busy.some((other) => overlaps(slice, other)));

/** Cuts the days of other runs out of the slices. */
export function withoutBusyDays(slices: PlannedSlice[], busy: PlannedSlice[]): PlannedSlice[] {
  return slices.flatMap((slice) => {
    const others = busy.filter((other) => overlaps(slice, other));
    if (others.length === 0) return [slice];
    const isFree = (day: Day) => !others.some(({ from, to }) => from <= day && day <= to);
    const days = listDays(slice.from, slice.to).filter(isFree);
    return ranges(days).map((range) => ({ ...slice, ...range }));
  });
}

/** The ranges of a reload, cut into slices of at most `days` days, newest first. */
export function cutRange(range: PlannedSlice, days: number): PlannedSlice[] {
  const slices: PlannedSlice[] = [];
  for (let to = range.to; to >= range.from; to = addDays(to, -days)) {
    const from = addDays(to, 1 - days);
    slices.push({ ...range, from: from < range.from ? range.from : from, to });
  }
  return slices;
}
