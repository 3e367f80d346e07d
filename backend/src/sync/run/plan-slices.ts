import type { AdAccount, Day, Stream } from '../../connectors/kit/contract.js';
import { addDays, chunkDays, dayInTimeZone, listDays } from '../../connectors/kit/days.js';

/** Small enough to be read again cheaply after a fault, large enough that a year is a dozen calls. */
export const SLICE_DAYS = 31;

/** Most of what changes, changes here: read by every run. Older days of the look-back are read once a day, for the sake of quota. */
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
  /** Days that arrived, were verified and are settled, by `coverageKey`: not read again unless within the look-back. */
  settledDays: Map<string, Set<Day>>;
  /** Days that arrived and were verified since the account's own midnight, by `coverageKey`. */
  freshDays: Map<string, Set<Day>>;
  /** Reads the whole look-back whatever was read today: somebody asked for it. */
  isWhole: boolean;
}

export const coverageKey = (stream: string, accountId: string): string => `${stream}/${accountId}`;

/** First day that may still change: from here on, every run reads again. */
export const provisionalFrom = (account: AdAccount, lookbackDays: number, now: Date): Day =>
  addDays(dayInTimeZone(now, account.timeZone), -lookbackDays);

/**
 * What a run reads: every wanted day that has not settled, and the look-back, of which older days once a day. So a missed day is caught up by the next run
 * whatever made it missing. Newest first: people look at yesterday before last year.
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
  return listDays(input.historyFrom, today).filter((day) => {
    if (day < changing && settled?.has(day)) return false;
    return input.isWhole || (day >= changing && day >= recent) || !fresh?.has(day);
  });
}

function ranges(days: Day[]): { from: Day; to: Day }[] {
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
