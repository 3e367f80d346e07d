const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `83,812,306` */
export const formatCount = (value: number | null | undefined): string =>
  value === null || value === undefined ? '—' : whole.format(value);

const fraction = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** `402.13`, for sums that can have fractions. */
export const formatDecimal = (value: number): string => fraction.format(value);

const UNITS = [
  { size: 1e9, suffix: ' B' },
  { size: 1e6, suffix: ' M' },
];

/** For estimates only: `83.8 M`; the whole count below one million. */
export function formatEstimate(value: number): string {
  const unit = UNITS.find(({ size }) => value >= size);
  if (!unit) return whole.format(value);
  return `${Number((value / unit.size).toPrecision(3))}${unit.suffix}`;
}

/** Chart axes: `165k`, `2.5M`, `0`. */
export function formatAxis(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toFixed(1))}M`;
  if (value >= 1e3) return `${Number((value / 1e3).toFixed(1))}k`;
  return String(Number(value.toFixed(1)));
}

/** `1 account`, `9 accounts` */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const TICKS = 3;

/** Axis ticks from zero to at least `highest`, in round steps. A small number of things has a tick for each. */
export function axisTicks(highest: number, { isCount = false } = {}): number[] {
  if (highest <= 0) return [0, 1];
  const steps = isCount ? Math.min(TICKS, Math.ceil(highest)) : TICKS;
  const rough = highest / steps;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
    .map((factor) => factor * magnitude)
    .find((size) => size * steps >= highest && (!isCount || Number.isInteger(size)));
  return Array.from({ length: steps + 1 }, (_, index) => index * (step ?? rough));
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `812 B`, `1.4 MB`; 1 kB is 1,000 bytes. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return '—';
  const power = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${BYTE_UNITS[power]}`;
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** `82.4%` from 0.824. */
export const formatPercent = (share: number): string => percent.format(share);
