import type { Connection, DailyTotals, RunSummary } from '~/api/types';
import { runTable } from '~/domain/connections/connection-state';
import { formatMoney, hasCurrency, sumMicros } from '~/domain/billing/money';
import { addDays, dayIn, daysBetween, formatDay, formatNearDay } from '~/lib/dates';
import { formatCount, plural } from '~/lib/numbers';

/** A part of the page: loaded, failed, or still loading without both. */
export interface Part<Data> {
  data: Data | undefined;
  error: unknown;
}

/** Undefined while loading: nothing is claimed then. */
export interface FigureText {
  value: string | undefined;
  note: string | undefined;
}

const LOADING: FigureText = { value: undefined, note: undefined };
const FAILED: FigureText = { value: '—', note: 'could not be loaded' };

function textOf<Data>({ data, error }: Part<Data>, describe: (data: Data) => FigureText): FigureText {
  if (data !== undefined) return describe(data);
  return error === undefined ? LOADING : FAILED;
}

/** The last day that has ended in every account's time zone. */
const lastEndedDay = ({ source }: Pick<Connection, 'source'>, now: Date): string =>
  addDays(source.accounts.map(({ timeZone }) => dayIn(timeZone, now)).toSorted()[0] ?? dayIn('UTC', now), -1);

/** A day of the westernmost account that is not over is not late. */
export function completeFigure(connection: Pick<Connection, 'source' | 'completeThrough'>, now: Date): FigureText {
  const { completeThrough } = connection;
  if (completeThrough === null) return { value: '—', note: 'no complete day yet' };
  const behind = daysBetween(completeThrough, lastEndedDay(connection, now));
  const note =
    behind <= 0
      ? 'the last day that has ended'
      : behind === 1
        ? `${formatDay(addDays(completeThrough, 1), now)} not read since it ended`
        : `${plural(behind, 'day')} behind`;
  return { value: formatNearDay(completeThrough, now), note };
}

const lastRuns = ({ length }: RunSummary[]): string => (length === 1 ? 'run' : plural(length, 'run'));

export const rowsFigure = (daily: Part<DailyTotals>, runs: Part<RunSummary[]>): FigureText =>
  textOf(daily, ({ days }) => ({
    value: formatCount(days.reduce((sum, day) => sum + day.rows, 0)),
    note: textOf(runs, (items) => ({
      value: undefined,
      note: `${formatCount(items.reduce((sum, run) => sum + run.rowsRejected, 0))} rejected in the last ${lastRuns(items)}`,
    })).note,
  }));

/** Currencies whose cost has no exchange rate on some day. */
export const unknownRates = ({ currencies }: DailyTotals): string[] =>
  currencies.filter(({ convertedMicros }) => convertedMicros === null).map(({ currency }) => currency);

export const hasCost = ({ currency, days }: DailyTotals): boolean =>
  hasCurrency(currency) && days.some(({ costMicros }) => costMicros !== null);

export const costFigure = (daily: Part<DailyTotals>): FigureText =>
  textOf(daily, (totals) => {
    const { currency, currencies, isMixedCurrency, days } = totals;
    if (!hasCurrency(currency)) return { value: '—', note: 'these rows have no cost' };
    if (days.length === 0) return { value: '—', note: 'no rows loaded yet' };
    const unknown = unknownRates(totals);
    if (unknown.length > 0) return { value: '—', note: `no exchange rate for ${unknown.join(', ')}` };
    return {
      value: formatMoney(sumMicros(currencies.map(({ convertedMicros }) => convertedMicros)), currency),
      note: isMixedCurrency ? `${plural(currencies.length, 'currency', 'currencies')}, shown in ${currency}` : currency,
    };
  });

export const runsFigure = (runs: Part<RunSummary[]>): FigureText =>
  textOf(runs, (items) => {
    const ended = items.filter(({ state }) => !runTable[state].isActive && state !== 'skipped' && state !== 'cancelled');
    if (ended.length === 0) return { value: '—', note: 'no completed run yet' };
    const verified = ended.filter(({ state }) => state === 'succeeded').length;
    const [last] = ended;
    return {
      value: `${formatCount(verified)} of ${formatCount(ended.length)}`,
      note:
        last && last.state !== 'succeeded'
          ? `last run: ${runTable[last.state].word.toLowerCase()}`
          : 'rows and cost of the last run match',
    };
  });
