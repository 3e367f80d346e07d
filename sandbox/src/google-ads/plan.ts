import { dateRangeOf, unboundedDates, type DateRange } from './date-range.ts';
import { queryError } from './errors.ts';
import { attributedResources, fieldTypeOf, resourceNames, resourcesWithMetrics, type ResourceName } from './fields.ts';
import { parseQuery, type Condition, type Query } from './gaql.ts';
import { metricNames } from './numbers.ts';

/** A validated query: what to read and how to filter it. */
export interface Plan {
  resource: ResourceName;
  select: string[];
  attributes: string[];
  /** Indexes in `metricNames`. */
  metrics: number[];
  segments: { byDate: boolean; byDevice: boolean; byNetwork: boolean; byConversionAction: boolean };
  dates: DateRange | undefined;
  /** Conditions on fields other than segments.date. */
  conditions: Condition[];
  orderBy: Query['orderBy'];
  limit: number | null;
}

/** `today` is a day number of the account's calendar. */
export function planQuery(text: string, today: number): Plan {
  const query = parseQuery(text);
  const resource = resourceNames.find((name) => name === query.from);
  if (!resource) {
    throw queryError(
      'BAD_RESOURCE_TYPE_IN_FROM_CLAUSE',
      `Error in query: '${query.from}' is not a valid resource in the FROM clause.`,
    );
  }
  for (const field of query.select) checkField(field, resource, 'SELECT');
  for (const condition of query.where) checkCondition(condition, resource, query.select);
  for (const order of query.orderBy) checkOrder(order.field, resource, query.select);
  checkConversionSegment(query.select);
  const dates = dateRangeOf(
    query.where.filter((condition) => condition.field === 'segments.date'),
    today,
  );
  if (query.select.includes('segments.date') && !dates) throw unboundedDates();
  return {
    resource,
    select: query.select,
    attributes: query.select.filter((field) => !/^(metrics|segments)\./.test(field)),
    metrics: metricNames.flatMap((name, index) => (query.select.includes(name) ? [index] : [])),
    segments: {
      byDate: query.select.includes('segments.date'),
      byDevice: query.select.includes('segments.device'),
      byNetwork: query.select.includes('segments.ad_network_type'),
      byConversionAction: query.select.some(isConversionSegment),
    },
    dates,
    conditions: query.where.filter((condition) => condition.field !== 'segments.date'),
    orderBy: query.orderBy,
    limit: query.limit,
  };
}

export function needsMetrics(plan: Plan): boolean {
  const { byDate, byDevice, byNetwork, byConversionAction } = plan.segments;
  return (
    plan.metrics.length > 0 ||
    byDate ||
    byDevice ||
    byNetwork ||
    byConversionAction ||
    plan.conditions.some(({ field }) => field.startsWith('metrics.'))
  );
}

function checkField(field: string, resource: ResourceName, clause: 'SELECT' | 'WHERE' | 'ORDER BY'): void {
  if (!fieldTypeOf(field)) throw queryError('UNRECOGNIZED_FIELD', `Unrecognized field in the query: '${field}'.`);
  const owner = field.slice(0, field.indexOf('.'));
  const kind = owner === 'metrics' ? 'METRIC' : owner === 'segments' ? 'SEGMENT' : null;
  const isFitting = kind ? resourcesWithMetrics.includes(resource) : attributedResources[resource].includes(owner);
  if (isFitting) return;
  if (kind) {
    throw queryError(
      `PROHIBITED_${kind}_IN_SELECT_OR_WHERE_CLAUSE`,
      `Cannot select or filter on the following ${kind.toLowerCase()}s: '${field}', because they are incompatible with the resource '${resource}'.`,
    );
  }
  throw queryError(
    `PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE`,
    `The field '${field}' in ${clause} does not belong to '${resource}'.`,
  );
}

function checkCondition(condition: Condition, resource: ResourceName, select: string[]): void {
  checkField(condition.field, resource, 'WHERE');
  const isOtherSegment = condition.field.startsWith('segments.') && condition.field !== 'segments.date';
  if (isOtherSegment && !select.includes(condition.field)) throw notSelected(condition.field, 'WHERE');
  if (condition.operator === 'DURING' && condition.field !== 'segments.date') {
    throw queryError('OPERATOR_FIELD_MISMATCH', `The operator DURING cannot be used with '${condition.field}'.`);
  }
  const type = fieldTypeOf(condition.field);
  if (type === 'messages') {
    throw queryError('PROHIBITED_FIELD_IN_WHERE_CLAUSE', `Cannot filter on the field '${condition.field}'.`);
  }
  if ((type === 'int64' || type === 'double') && condition.values.some((value) => Number.isNaN(Number(value)))) {
    throw queryError('BAD_NUMBER', `Invalid number in the condition on '${condition.field}'.`);
  }
}

function checkOrder(field: string, resource: ResourceName, select: string[]): void {
  checkField(field, resource, 'ORDER BY');
  if (fieldTypeOf(field) === 'messages') {
    throw queryError('PROHIBITED_FIELD_IN_ORDER_BY_CLAUSE', `Cannot sort by the field '${field}'.`);
  }
  if (!select.includes(field)) throw notSelected(field, 'ORDER BY');
}

function notSelected(field: string, clause: string): Error {
  return queryError(
    'EXPECTED_REFERENCED_FIELD_IN_SELECT_CLAUSE',
    `The following field must be present in SELECT clause: '${field}' (used in ${clause}).`,
  );
}

const isConversionSegment = (field: string): boolean => field.startsWith('segments.conversion_action');
const conversionMetrics = ['conversions', 'conversions_value', 'all_conversions', 'all_conversions_value'];

/** Cost, clicks and impressions are not available by conversion action. */
function checkConversionSegment(select: string[]): void {
  const segment = select.find(isConversionSegment);
  const metrics = select.filter(
    (field) => field.startsWith('metrics.') && !conversionMetrics.includes(field.slice('metrics.'.length)),
  );
  if (!segment || metrics.length === 0) return;
  throw queryError(
    'PROHIBITED_SEGMENT_WITH_METRIC_IN_SELECT_OR_WHERE_CLAUSE',
    `Cannot select or filter on the segment '${segment}' with these metrics: ${metrics.join(', ')}.`,
  );
}
