import type { Entity } from './entities.ts';

export interface Row {
  entity: Entity;
  /** null when the query does not select segments.date; likewise device and network. */
  dayNumber: number | null;
  device: string | null;
  network: string | null;
  /** Whole numbers in the order of `metricNames`; null for a thing that is only listed. */
  metrics: Float64Array | null;
}
