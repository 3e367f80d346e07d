import type { Entity } from './entities.ts';

export interface Row {
  entity: Entity;
  /** null when the query does not select segments.date; likewise device and network. */
  dayNumber: number | null;
  device: string | null;
  network: string | null;
  /** Attributes of the conversion action whose conversions these are; null when the query does not ask for it. */
  conversionAction: Record<string, string | number | boolean> | null;
  /** Whole numbers in the order of `metricNames`; null for a thing that is only listed. */
  metrics: Float64Array | null;
}
