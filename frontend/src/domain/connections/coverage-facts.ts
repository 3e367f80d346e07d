import { coverageWords, worstState } from './coverage';
import type { CoverageState } from './coverage';
import { formatMoney, hasCurrency, sumMicros } from '~/domain/billing/money';
import { formatCount, plural } from '~/lib/numbers';

export interface LoadedDay {
  date: string;
  state: CoverageState;
  rows: number;
  costMicros: string;
  lastChangedAt: string | null;
  lastReadAt: string | null;
  runId: string | null;
}

export interface CellFacts {
  state: string;
  rows: string;
  /** In the currency of the account. */
  cost: string;
  lastReadAt: string | null;
  lastChangedAt: string | null;
  /** The run that last wrote the newest of the days. */
  runId: string | null;
}

const latest = (moments: (string | null)[]): string | null =>
  moments
    .filter((at) => at !== null)
    .toSorted()
    .at(-1) ?? null;

const rowsOf = (days: readonly LoadedDay[]): number => days.reduce((sum, day) => sum + day.rows, 0);

/** What is known of some days of one account. */
export const cellFacts = (days: readonly LoadedDay[], currency: string): CellFacts => ({
  state: coverageWords[worstState(days)],
  rows: formatCount(rowsOf(days)),
  cost: formatMoney(sumMicros(days.map((day) => day.costMicros)), currency),
  lastReadAt: latest(days.map((day) => day.lastReadAt)),
  lastChangedAt: latest(days.map((day) => day.lastChangedAt)),
  runId: days.findLast(({ runId }) => runId !== null)?.runId ?? null,
});

/** `Final, 20 rows, €3.00` */
export function cellText(days: readonly LoadedDay[], currency: string): string {
  const { state, cost } = cellFacts(days, currency);
  return [state, plural(rowsOf(days), 'row'), ...(hasCurrency(currency) ? [cost] : [])].join(', ');
}

/** First and last of the days that are missing or failed; null: there are none. */
export function daysToRepair(days: readonly LoadedDay[]): { from: string; to: string } | null {
  const open = days.filter(({ state }) => state === 'missing' || state === 'failed');
  const [first, last] = [open[0], open.at(-1)];
  return first && last ? { from: first.date, to: last.date } : null;
}
