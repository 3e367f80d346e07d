import { plural } from '~/lib/numbers';

export const RANGES = [
  { value: '6w', label: '6 weeks', days: 42, daysPerCell: 1 },
  { value: '3m', label: '3 months', days: 91, daysPerCell: 7 },
  { value: '1y', label: '1 year', days: 364, daysPerCell: 7 },
] as const;

/** Account-days in one answer of the API. */
const MOST_CELLS = 100_000;

export interface ShownRange {
  value: string;
  days: number;
  daysPerCell: number;
  /** Why fewer days are shown than chosen; null: all are. */
  limit: string | null;
}

const limitText = (days: number, accounts: number): string =>
  `The newest ${plural(days, 'day is', 'days are')} shown: the connection has ${plural(accounts, 'account')}.`;

/** The chosen days, or as many whole cells as the API returns for this number of accounts. */
export function shownRange(chosen: string | null, accounts: number): ShownRange {
  const range = RANGES.find(({ value }) => value === chosen) ?? RANGES[0];
  const { value, daysPerCell } = range;
  const allowed = Math.floor(MOST_CELLS / Math.max(1, accounts));
  if (allowed >= range.days) return { value, days: range.days, daysPerCell, limit: null };
  const days = Math.max(1, allowed - (allowed % daysPerCell));
  return { value, days, daysPerCell, limit: limitText(days, accounts) };
}
