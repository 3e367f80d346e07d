import type { AdAccount, Day, Stream } from '../../connectors/kit/contract.js';
import { addDays, chunkDays, dayInTimeZone, listDays } from '../../connectors/kit/days.js';
import type { Days } from './day-ranges.js';

/** Small enough to retry cheaply, large enough that a year takes 12 calls. */
export const SLICE_DAYS = 31;

/**
 * Most changes happen in these days, so every run reads them. Older days of the lookback window are read once a day to save
 * quota.
 */
export const RECENT_DAYS = 3;

export interface PlannedSlice {
  stream: string;
  accountId: string;
  from: Day;
  to: Day;
}

export interface PlanInput {
  streams: Stream[];
  accounts: AdAccount[];
  /** Days before today that the provider may still change, by account. */
  lookbackDays: Map<string, number>;
  historyFrom: Day;
  now: Date;
  /** Days that are verified and final, by `coverageKey`: read again only within the lookback window. */
  settledDays: Map<string, Days>;
  /** Days verified since midnight in the account's time zone, by `coverageKey`. */
  freshDays: Map<string, Days>;
  /** Days before `historyFrom` that a backfill had loaded and that are missing at the destination now, by `coverageKey`. */
  lostDays: Map<string, Day[]>;
  /** Reads the whole lookback window even if it was read today: a user requested the run. */
  isWhole: boolean;
}

export const coverageKey = (stream: string, accountId: string): string => `${stream}/${accountId}`;

/** First day that may still change. Every run reads from this day on. */
export const provisionalFrom = (account: AdAccount, lookbackDays: number, now: Date): Day =>
  addDays(dayInTimeZone(now, account.timeZone), -lookbackDays);

/**
 * Selects the days of a run: every requested day that is not final, and the lookback window, whose older days are read once a
 * day. The next run therefore loads any missed day. Newest first, because users check yesterday before last year.
 */
export function planSlices(input: PlanInput): PlannedSlice[] {
  const slices = input.streams.flatMap((stream) =>
    input.accounts.flatMap((account) =>
      ranges(unsettledDays(input, stream, account)).flatMap((range) =>
        chunkDays(range.from, range.to, SLICE_DAYS).map((chunk) => ({
          stream: stream.name,
          accountId: account.externalId,
          ...chunk,
        })),
      ),
    ),
  );
  return slices.sort((left, right) => (left.to < right.to ? 1 : left.to > right.to ? -1 : 0));
}

function unsettledDays(input: PlanInput, stream: Stream, account: AdAccount): Day[] {
  const today = dayInTimeZone(input.now, account.timeZone);
  const changing = provisionalFrom(account, input.lookbackDays.get(account.externalId) ?? 0, input.now);
  const key = coverageKey(stream.name, account.externalId);
  const [settled, fresh] = [input.settledDays.get(key), input.freshDays.get(key)];
  const recent = addDays(today, -RECENT_DAYS);
  const lost = input.lostDays.get(key)?.toSorted() ?? [];
  return [...lost, ...listDays(input.historyFrom, today)].filter((day) => {
    if (day < changing && settled?.has(day)) return false;
    return input.isWhole || (day >= changing && day >= recent) || !fresh?.has(day);
  });
}

/** Consecutive days as ranges. The days must be sorted. */
export function ranges(days: Day[]): { from: Day; to: Day }[] {
  const result: { from: Day; to: Day }[] = [];
  for (const day of days) {
    const last = result.at(-1);
    if (last && addDays(last.to, 1) === day) last.to = day;
    else result.push({ from: day, to: day });
  }
  return result;
}

/** Halves of a slice that the provider found too large; null when it is a single day. */
export function splitSlice(slice: PlannedSlice): [PlannedSlice, PlannedSlice] | null {
  const days = listDays(slice.from, slice.to);
  const middle = days[Math.floor(days.length / 2)];
  if (days.length < 2 || !middle) return null;
  return [
    { ...slice, to: addDays(middle, -1) },
    { ...slice, from: middle },
  ];
}
