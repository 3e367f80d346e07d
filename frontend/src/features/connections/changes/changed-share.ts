import type { Restatement } from '~/api/types';
import { formatMoney, microsToUnits } from '~/domain/billing/money';
import { formatCount, formatPercent } from '~/lib/numbers';

export const METRICS = [
  { value: 'cost', label: 'Cost' },
  { value: 'clicks', label: 'Clicks' },
  { value: 'impressions', label: 'Impressions' },
  { value: 'conversions', label: 'Conversions' },
] as const;
export type Metric = (typeof METRICS)[number]['value'];
type Sums = Restatement['current'];

const valueOf = (sums: Sums, metric: Metric): number | null =>
  metric === 'cost' ? microsToUnits(sums.costMicros) : sums[metric];

/** How much a day changed after its first load, as a share; null: not known. From nothing to something is 100 %. */
export function changedShare({ firstLoad, current }: Pick<Restatement, 'firstLoad' | 'current'>, metric: Metric): number | null {
  const [before, after] = [valueOf(firstLoad, metric), valueOf(current, metric)];
  if (before === null || after === null) return null;
  if (before === 0) return after === 0 ? 0 : 1;
  return (after - before) / before;
}

/** `+2.1%`, `−0.4%`, `0%` */
export function formatChange(share: number | null): string {
  if (share === null) return '—';
  const text = formatPercent(Math.abs(share));
  if (share === 0) return text;
  return `${share > 0 ? '+' : '−'}${text}`;
}

const fraction = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

export function formatMetric(sums: Sums, metric: Metric, currency: string | null): string {
  if (metric === 'cost') return formatMoney(sums.costMicros, currency);
  if (metric === 'conversions') return sums.conversions === null ? '—' : fraction.format(sums.conversions);
  return formatCount(sums[metric]);
}

/** Five levels of color, from unchanged to a tenth and more. */
export function levelOf(share: number | null): 0 | 1 | 2 | 3 | 4 {
  const size = Math.abs(share ?? 0);
  if (size === 0) return 0;
  if (size < 0.01) return 1;
  if (size < 0.03) return 2;
  return size < 0.1 ? 3 : 4;
}
