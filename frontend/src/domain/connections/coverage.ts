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

export interface CoverageCell<Day extends DayFacts> {
  from: string;
  to: string;
  state: CoverageState;
  days: Day[];
}

/** Groups days into cells, counted from the newest day, so that the newest cell is full. Returns at most `maxCells`, the newest. */
export function toCells<Day extends DayFacts>(days: readonly Day[], daysPerCell: number, maxCells: number): CoverageCell<Day>[] {
  const cells: CoverageCell<Day>[] = [];
  for (let end = days.length; end > 0 && cells.length < maxCells; end -= daysPerCell) {
    const part = days.slice(Math.max(0, end - daysPerCell), end);
    const [first, last] = [part[0], part.at(-1)];
    if (first && last) cells.unshift({ from: first.date, to: last.date, state: worstState(part), days: part });
  }
  return cells;
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
