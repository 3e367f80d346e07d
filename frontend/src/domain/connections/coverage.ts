import { addDays, daysBetween } from '~/lib/dates';
import { plural } from '~/lib/numbers';

export type CoverageState = 'missing' | 'loading' | 'provisional' | 'final' | 'failed' | 'empty_confirmed' | 'restated';

export interface DayFacts {
  date: string;
  state: CoverageState;
}

/** In the order of the legend. */
export const coverageWords: Record<CoverageState, string> = {
  final: 'Final',
  provisional: 'Provisional',
  restated: 'Restated',
  loading: 'Loading',
  missing: 'Missing',
  failed: 'Failed',
  empty_confirmed: 'Empty, confirmed',
};

/** A cell with several days shows the most severe state. */
const WORST_FIRST: readonly CoverageState[] = [
  'failed',
  'missing',
  'loading',
  'restated',
  'provisional',
  'final',
  'empty_confirmed',
];

export const worstState = (days: readonly DayFacts[]): CoverageState =>
  WORST_FIRST.find((state) => days.some((day) => day.state === state)) ?? 'missing';

/**
 * Whether an account lacks days that should be there: a past day is missing, or more than the last ended day waits for a run.
 * @param today in the account's time zone
 */
export function isBehind(days: readonly DayFacts[], completeThrough: string | null, today: string): boolean {
  if (completeThrough === null || daysBetween(completeThrough, today) > 2) return true;
  return days.some(({ date, state }) => date > completeThrough && date < today && (state === 'missing' || state === 'failed'));
}

export interface CoverageCell<Day extends DayFacts> {
  from: string;
  to: string;
  state: CoverageState;
  days: Day[];
}

export interface DayRange {
  from: string;
  to: string;
}

/**
 * The columns of a grid of accounts, the same for all of them: the newest day of an account depends on its time zone. Days are
 * grouped from the newest one, so that the newest column is full. Returns at most `maxColumns`, the newest.
 */
export function toColumns(accounts: readonly (readonly DayFacts[])[], daysPerColumn: number, maxColumns: number): DayRange[] {
  const ends = accounts.flatMap((days) => [days[0], days.at(-1)]).flatMap((day) => (day ? [day.date] : []));
  const sorted = ends.toSorted();
  const [oldest, newest] = [sorted[0], sorted.at(-1)];
  const columns: DayRange[] = [];
  if (oldest === undefined || newest === undefined) return columns;
  for (let to = newest; to >= oldest && columns.length < maxColumns; to = addDays(to, -daysPerColumn)) {
    const from = addDays(to, 1 - daysPerColumn);
    columns.unshift({ from: from < oldest ? oldest : from, to });
  }
  return columns;
}

/** The cells of one account, whose days are in order. Null: it has no day in the column. */
export function toCells<Day extends DayFacts>(days: readonly Day[], columns: readonly DayRange[]): (CoverageCell<Day> | null)[] {
  let next = 0;
  return columns.map(({ from, to }) => {
    while (next < days.length && (days[next]?.date ?? '') < from) next += 1;
    const start = next;
    while (next < days.length && (days[next]?.date ?? '') <= to) next += 1;
    const part = days.slice(start, next);
    const [first, last] = [part[0], part.at(-1)];
    return first && last ? { from: first.date, to: last.date, state: worstState(part), days: part } : null;
  });
}

interface ConnectionFacts {
  health: string;
  activeRun: object | null;
}

export interface FailedSlice {
  stream: string;
  accountId: string;
  accountName: string;
  from: string;
  to: string;
  failure: { message: string } | null;
}

export interface GapFacts extends Gap {
  stream: string;
  accountId: string;
}

/** `Northwind US: …` and `Northwind US, Nov 25, 2026: …`: the gap shows account and days before its reason. */
function withoutAccount(message: string, accountName: string): string {
  const rest = message.slice(accountName.length);
  const end = rest.indexOf(': ');
  const isNamed = message.startsWith(accountName) && (rest.startsWith(': ') || (rest.startsWith(', ') && end > 0));
  return isNamed ? rest.slice(end + 2) : message;
}

/** Why a gap exists: the failure of its own account, from the slices of the last run that failed. */
export function reasonOfGap(
  gap: GapFacts,
  { activeRun }: Pick<ConnectionFacts, 'activeRun'>,
  slices: readonly FailedSlice[],
): string {
  if (gap.state === 'missing') return activeRun ? 'Missing: not reached by the active run yet' : 'Missing: not loaded yet';
  const slice = slices.find(
    ({ stream, accountId, from, to, failure }) =>
      failure !== null && stream === gap.stream && accountId === gap.accountId && from <= gap.to && to >= gap.from,
  );
  if (!slice?.failure) return 'Failed: these days could not be loaded';
  return `Failed: ${withoutAccount(slice.failure.message, slice.accountName)}`;
}

/** What fills a gap: a new sign-in if the access has ended, nothing while a run works on it, otherwise a repair. */
export function repairOfGap(state: Gap['state'], { health, activeRun }: ConnectionFacts): 'restore_access' | 'repair' | null {
  if (health === 'needs_reauth') return 'restore_access';
  return state === 'missing' && activeRun ? null : 'repair';
}

/** What holds for days without gaps. A day whose rows were lost is loaded again, and then is no gap but not loaded either. */
export function noGapsText(accounts: readonly (readonly DayFacts[])[]): string {
  const loading = accounts.flat().filter(({ state }) => state === 'loading').length;
  if (loading === 0) return 'No gaps. All days in this range are loaded.';
  return `No gaps. ${plural(loading, 'account-day is', 'account-days are')} being loaded.`;
}

export interface Gap {
  from: string;
  to: string;
  days: number;
  state: 'missing' | 'failed';
}

/** Consecutive missing or failed days, oldest first. */
export function gapsOf(days: readonly DayFacts[]): Gap[] {
  const gaps: Gap[] = [];
  let previous: CoverageState | null = null;
  for (const { date, state } of days) {
    const last = gaps.at(-1);
    if (state === 'missing' || state === 'failed') {
      if (last && state === previous) Object.assign(last, { to: date, days: last.days + 1 });
      else gaps.push({ from: date, to: date, days: 1, state });
    }
    previous = state;
  }
  return gaps;
}
