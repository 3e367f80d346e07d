import { toDate } from '../clock.ts';
import type { Entity } from './entities.ts';
import { fieldTypeOf, type AttributeValue } from './fields.ts';
import type { Condition } from './gaql.ts';
import { metricDivisors, metricNames } from './numbers.ts';
import type { Plan } from './plan.ts';
import type { Row } from './row.ts';

type ValueTest = (value: AttributeValue) => boolean;

/** A test of one value. A missing value is zero or empty, depending on its type. */
function conditionTest(condition: Condition): ValueTest {
  const type = fieldTypeOf(condition.field);
  const isNumber = type === 'int64' || type === 'double';
  const convert = (value: AttributeValue): string | number => {
    if (isNumber) return Number(value);
    return type === 'boolean' ? String(value).toLowerCase() : String(value);
  };
  const wanted = condition.values.map(convert);
  const first = wanted[0] as string | number;
  const tests: Record<Condition['operator'], (value: string | number) => boolean> = {
    '=': (value) => value === first,
    '!=': (value) => value !== first,
    '<': (value) => value < first,
    '<=': (value) => value <= first,
    '>': (value) => value > first,
    '>=': (value) => value >= first,
    IN: (value) => wanted.includes(value),
    'NOT IN': (value) => !wanted.includes(value),
    BETWEEN: (value) => value >= first && value <= (wanted[1] as string | number),
    DURING: () => false,
  };
  const test = tests[condition.operator];
  return (value) => test(convert(value));
}

function testsFor(plan: Plan, isOfKind: (field: string) => boolean): { field: string; test: ValueTest }[] {
  return plan.conditions
    .filter((condition) => isOfKind(condition.field))
    .map((condition) => ({ field: condition.field, test: conditionTest(condition) }));
}

export function entityTest(plan: Plan): (entity: Entity) => boolean {
  const tests = testsFor(plan, (field) => !/^(metrics|segments)\./.test(field));
  return (entity) => tests.every(({ field, test }) => test(entity.values[field] ?? ''));
}

export function segmentTest(plan: Plan): (device: string | null, network: string | null) => boolean {
  const deviceTests = testsFor(plan, (field) => field === 'segments.device');
  const networkTests = testsFor(plan, (field) => field === 'segments.ad_network_type');
  if (deviceTests.length + networkTests.length === 0) return () => true;
  return (device, network) =>
    deviceTests.every(({ test }) => test(device ?? '')) && networkTests.every(({ test }) => test(network ?? ''));
}

export function metricTest(plan: Plan): (metrics: Float64Array) => boolean {
  const tests = testsFor(plan, (field) => field.startsWith('metrics.')).map(({ field, test }) => ({
    index: metricNames.findIndex((name) => name === field),
    test,
  }));
  if (tests.length === 0) return () => true;
  return (metrics) => tests.every(({ index, test }) => test(metricValue(metrics, index)));
}

export function metricValue(metrics: Float64Array, index: number): number {
  return (metrics[index] ?? 0) / (metricDivisors[index] ?? 1);
}

/** Stable sort: rows with equal ORDER BY fields keep their order. */
export function sortRows(rows: Row[], plan: Plan): Row[] {
  return rows.sort((left, right) => {
    for (const { field, isDescending } of plan.orderBy) {
      const order = compare(sortValue(left, field), sortValue(right, field));
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  });
}

function compare(left: AttributeValue, right: AttributeValue): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

function sortValue(row: Row, field: string): AttributeValue {
  if (field === 'segments.date') return row.dayNumber === null ? '' : toDate(row.dayNumber);
  if (field === 'segments.device') return row.device ?? '';
  if (field === 'segments.ad_network_type') return row.network ?? '';
  if (field.startsWith('metrics.'))
    return metricValue(
      row.metrics ?? new Float64Array(metricNames.length),
      metricNames.findIndex((name) => name === field),
    );
  const value = row.entity.values[field] ?? '';
  return fieldTypeOf(field) === 'int64' ? Number(value) : value;
}
