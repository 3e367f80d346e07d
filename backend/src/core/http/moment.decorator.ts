import { isISO8601, ValidateBy } from 'class-validator';

/** A day, or a day with a time and optionally an offset. PostgreSQL and JavaScript read no other form of ISO 8601 in the same way. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):?[0-5]\d)?)?$/;
/** Years with four digits in UTC. Other years have no form that PostgreSQL reads. */
const isStorableYear = (year: number): boolean => year >= 1 && year <= 9_999;

const isMoment = (value: unknown): boolean =>
  typeof value === 'string' &&
  MOMENT.test(value) &&
  // Also rejects days that do not exist.
  isISO8601(value, { strict: true, strictSeparator: true }) &&
  isStorableYear(new Date(value).getUTCFullYear());

/** A time in ISO 8601, as every value of this API: `2026-11-29` or `2026-11-29T10:00:00Z`. */
export const IsMoment = (): PropertyDecorator =>
  ValidateBy({
    name: 'isMoment',
    validator: {
      validate: isMoment,
      defaultMessage: () => '$property must be a day or a time in ISO 8601, such as 2026-11-29T10:00:00Z',
    },
  });
