import type { DailyTotals } from '~/api/types';
import { formatMoney, hasCurrency, sumMicros } from '~/domain/billing/money';
import { formatDay } from '~/lib/dates';
import { formatCount, plural } from '~/lib/numbers';
import type { MarkTone } from '~/ui/data/Chart';
import { unknownRates } from './describe-figures';

type Day = DailyTotals['days'][number];
type Runs = DailyTotals['runs'][number];

export function stateText({ rows, provisionalRows, isProvisional }: Day): string {
  if (!isProvisional) return 'Final';
  return provisionalRows < rows ? `${formatCount(provisionalRows)} provisional` : 'Provisional';
}

/** The worst end of the runs of a day. */
export function markOf(runs: Runs | undefined): MarkTone | undefined {
  if (!runs) return undefined;
  if (runs.failed > 0) return 'danger';
  return runs.incomplete > 0 ? 'warn' : 'good';
}

/** `24 verified, 1 failed`; null: no run ended on the day. */
export function runsText(runs: Runs | undefined): string | null {
  if (!runs) return null;
  const counts = [
    [runs.verified, 'verified'],
    [runs.incomplete, 'incomplete'],
    [runs.failed, 'failed'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatCount(count)} ${word}`)
    .join(', ');
}

const costText = ({ costMicros }: Day, currency: string): string =>
  costMicros === null ? 'no exchange rate' : formatMoney(costMicros, currency);

/** `350 rows, final · $9,123.11 · runs: 1 verified` */
export function describeDay(daily: DailyTotals, day: Day): string {
  const runs = runsText(daily.runs.find(({ date }) => date === day.date));
  return [
    `${plural(day.rows, 'row')}, ${stateText(day).toLowerCase()}`,
    ...(hasCurrency(daily.currency) ? [costText(day, daily.currency)] : []),
    ...(runs === null ? [] : [`runs: ${runs}`]),
  ].join(' · ');
}

/** Text equivalent of the charts, in one sentence. */
export function summaryOf(daily: DailyTotals, now: Date): string {
  const { days, currency } = daily;
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return 'No data has been loaded yet.';
  const rows = days.reduce((sum, day) => sum + day.rows, 0);
  const best = days.reduce((highest, day) => (day.rows > highest.rows ? day : highest), first);
  const isCostKnown = hasCurrency(currency) && unknownRates(daily).length === 0;
  const cost = isCostKnown ? ` and ${formatMoney(sumMicros(days.map((day) => day.costMicros)), currency)}` : '';
  const provisional = days.filter((day) => day.isProvisional).length;
  const range = `${formatDay(first.date, now)} to ${formatDay(last.date, now)}`;
  const maximum = `Maximum: ${plural(best.rows, 'row')} on ${formatDay(best.date, now)}`;
  return `${plural(rows, 'row')}${cost} from ${range}. ${maximum}. ${plural(provisional, 'day')} may still change.`;
}
