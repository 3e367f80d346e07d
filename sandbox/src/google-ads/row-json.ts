import { toDate } from '../clock.ts';
import type { Entity } from './entities.ts';
import { fieldTypeOf, toCamelCase, type AttributeValue } from './fields.ts';
import { metricDivisors, metricNames } from './numbers.ts';
import type { Plan } from './plan.ts';
import type { Row } from './row.ts';

/**
 * Rows as JSON text in Google's mapping of protocol buffers: camelCase, int64 as text, without zero and false. The text is built
 * manually for speed with millions of rows: the text of each entity is created once.
 */
export function rowWriter(plan: Plan): (row: Row) => string {
  const fragments = new Map<Entity, string>();
  const segments = segmentsWriter();
  const writeMetrics = metricsWriter(plan.metrics);
  return (row) => {
    let fragment = fragments.get(row.entity);
    if (fragment === undefined) {
      fragment = entityFragment(row.entity, plan);
      fragments.set(row.entity, fragment);
    }
    const metrics = plan.metrics.length > 0 && row.metrics ? `,"metrics":${writeMetrics(row.metrics)}` : '';
    return `{${fragment}${metrics}${segments(row)}}`;
  };
}

function entityFragment(entity: Entity, plan: Plan): string {
  const tree: Record<string, unknown> = {};
  // The resource's own name is always included, others only if something of them is selected.
  const owners = new Set([plan.resource, ...plan.attributes.map((field) => field.slice(0, field.indexOf('.')))]);
  const fields = [...[...owners].map((owner) => `${owner}.resource_name`), ...plan.attributes];
  for (const field of fields) place(tree, toCamelCase(field).split('.'), jsonValue(field, entity.values[field]));
  return JSON.stringify(tree).slice(1, -1);
}

function jsonValue(field: string, value: AttributeValue | undefined): unknown {
  if (value === undefined || value === 0 || value === false || value === '') return undefined;
  if (Array.isArray(value)) return value.length > 0 ? value : undefined;
  return fieldTypeOf(field) === 'int64' ? String(value) : value;
}

function place(tree: Record<string, unknown>, path: string[], value: unknown): void {
  let branch = tree;
  for (const step of path.slice(0, -1)) branch = (branch[step] ??= {}) as Record<string, unknown>;
  branch[path.at(-1) as string] = value;
}

export function metricsWriter(wanted: number[]): (metrics: Float64Array) => string {
  const parts = wanted.map((index) => {
    const name = metricNames[index] as string;
    const quote = fieldTypeOf(name) === 'int64' ? '"' : '';
    return {
      index,
      divisor: metricDivisors[index] ?? 1,
      before: `"${toCamelCase(name.slice('metrics.'.length))}":${quote}`,
      after: quote,
    };
  });
  return (metrics) => {
    let text = '';
    for (const part of parts) {
      const value = metrics[part.index] as number;
      if (value !== 0) text += `${text === '' ? '' : ','}${part.before}${value / part.divisor}${part.after}`;
    }
    return `{${text}}`;
  };
}

function segmentsWriter(): (row: Row) => string {
  const dates = new Map<number, string>();
  return ({ dayNumber, device, network, conversionAction }) => {
    if (dayNumber === null && device === null && network === null && conversionAction === null) return '';
    let text = conversionAction === null ? '' : actionText(conversionAction);
    if (device !== null) text += `${text && ','}"device":"${device}"`;
    if (network !== null) text += `${text && ','}"adNetworkType":"${network}"`;
    if (dayNumber !== null) {
      let date = dates.get(dayNumber);
      if (date === undefined) dates.set(dayNumber, (date = `"date":"${toDate(dayNumber)}"`));
      text += `${text && ','}${date}`;
    }
    return `,"segments":{${text}}`;
  };
}

function actionText(action: Record<string, AttributeValue>): string {
  const segments = {
    conversionAction: action['conversion_action.resource_name'],
    conversionActionName: action['conversion_action.name'],
    conversionActionCategory: action['conversion_action.category'],
  };
  return JSON.stringify(segments).slice(1, -1);
}

export function fieldMask(plan: Plan): string {
  return plan.select.map(toCamelCase).join(',');
}
