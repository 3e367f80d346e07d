import type { Entity } from './entities.ts';
import type { AttributeValue } from './fields.ts';

export interface Row {
  entity: Entity;
  /** null if the query does not select segments.date; likewise device and network. */
  dayNumber: number | null;
  device: string | null;
  network: string | null;
  /** Attributes of the conversion action; null if the query does not select it. */
  conversionAction: Record<string, AttributeValue> | null;
  /** Whole numbers in the order of `metricNames`; null for an entity without metrics. */
  metrics: Float64Array | null;
}
