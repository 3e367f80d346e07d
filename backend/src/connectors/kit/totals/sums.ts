import type { MetricSums } from '../contract.js';

export function emptySums(): MetricSums {
  return { rows: 0, costMicros: 0n, clicks: 0n, impressions: 0n };
}

export function addSums(left: MetricSums, right: MetricSums): MetricSums {
  return {
    rows: left.rows + right.rows,
    costMicros: left.costMicros + right.costMicros,
    clicks: left.clicks + right.clicks,
    impressions: left.impressions + right.impressions,
  };
}

export function equalSums(left: Omit<MetricSums, 'rows'>, right: Omit<MetricSums, 'rows'>): boolean {
  return left.costMicros === right.costMicros && left.clicks === right.clicks && left.impressions === right.impressions;
}
