import { toDayNumber } from '../clock.ts';
import { GoogleAdsError, queryError } from './errors.ts';
import type { Condition } from './gaql.ts';

/** Both ends inclusive, in days since 1970-01-01. */
export interface DateRange {
  fromDay: number;
  toDay: number;
}

/** The days selected by conditions on segments.date; undefined if there are none. Both ends must be finite. */
export function dateRangeOf(conditions: Condition[], today: number): DateRange | undefined {
  if (conditions.length === 0) return undefined;
  let fromDay = Number.NEGATIVE_INFINITY;
  let toDay = Number.POSITIVE_INFINITY;
  for (const condition of conditions) {
    const range = rangeOf(condition, today);
    fromDay = Math.max(fromDay, range.fromDay);
    toDay = Math.min(toDay, range.toDay);
  }
  if (!Number.isFinite(fromDay) || !Number.isFinite(toDay)) throw unboundedDates();
  if (fromDay < oldestDay(today)) throw tooLongAgo();
  return { fromDay, toDay };
}

/** Retention of daily data (deprecations, 2026-06-01). A range that begins earlier is rejected as a whole. */
const retentionMonths = 37;

const tooLongAgo = (): Error =>
  new GoogleAdsError(
    'invalid',
    'dateRangeError',
    'REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED',
    'The requested granularity is not supported for the date range: daily data is available for 37 months.',
  );

function oldestDay(today: number): number {
  const oldest = new Date(today * 86_400_000);
  return Math.floor(oldest.setUTCMonth(oldest.getUTCMonth() - retentionMonths) / 86_400_000);
}

export function unboundedDates(): Error {
  return queryError(
    'EXPECTED_FILTERS_ON_DATE_RANGE',
    'The filters on the date segments must be combined to specify a finite date range: segments.date needs both ends.',
  );
}

function rangeOf(condition: Condition, today: number): DateRange {
  if (condition.operator === 'DURING') return namedRange(condition.values[0] as string, today);
  const days = condition.values.map(readDate);
  const first = days[0] as number;
  switch (condition.operator) {
    case '=':
      return { fromDay: first, toDay: first };
    case 'BETWEEN':
      return between(first, days[1] as number);
    case '>=':
      return { fromDay: first, toDay: Number.POSITIVE_INFINITY };
    case '>':
      return { fromDay: first + 1, toDay: Number.POSITIVE_INFINITY };
    case '<=':
      return { fromDay: Number.NEGATIVE_INFINITY, toDay: first };
    case '<':
      return { fromDay: Number.NEGATIVE_INFINITY, toDay: first - 1 };
    default:
      throw queryError('OPERATOR_FIELD_MISMATCH', `The operator ${condition.operator} cannot be used with segments.date.`);
  }
}

function between(fromDay: number, toDay: number): DateRange {
  if (fromDay > toDay) {
    throw queryError('INVALID_VALUE_WITH_BETWEEN_OPERATOR', 'The first date of BETWEEN must not be later than the second.');
  }
  return { fromDay, toDay };
}

function readDate(value: string): number {
  const dayNumber = toDayNumber(value);
  if (Number.isNaN(dayNumber)) throw queryError('INVALID_DATE_FORMAT', `'${value}' is not a date of the form YYYY-MM-DD.`);
  return dayNumber;
}

function namedRange(name: string, today: number): DateRange {
  const lastDays = /^LAST_(7|14|30)_DAYS$/.exec(name);
  // Google's LAST_n_DAYS ends yesterday.
  if (lastDays) return { fromDay: today - Number(lastDays[1]), toDay: today - 1 };
  if (name === 'TODAY') return { fromDay: today, toDay: today };
  if (name === 'YESTERDAY') return { fromDay: today - 1, toDay: today - 1 };
  const date = new Date(today * 86_400_000);
  const monthStart = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 86_400_000;
  if (name === 'THIS_MONTH') return { fromDay: monthStart, toDay: today };
  if (name === 'LAST_MONTH') {
    return { fromDay: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1) / 86_400_000, toDay: monthStart - 1 };
  }
  throw queryError('INVALID_VALUE_WITH_DURING_OPERATOR', `${name} cannot be used with DURING.`);
}
