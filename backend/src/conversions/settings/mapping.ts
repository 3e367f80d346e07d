import { z } from 'zod';
import {
  actionSources,
  personFields,
  type ConsentStatus,
  type ConversionEvent,
  type PersonField,
} from '../../connectors/kit/conversion.js';
import type { RecordValue, SourceRecord } from '../../connectors/kit/conversion-source.js';

const plainFields = [
  ...(['gclid', 'gbraid', 'wbraid', 'fbclid', 'fbc', 'fbp', 'msclkid', 'anonymousId', 'ipAddress', 'userAgent'] as const),
] as const;

/** Fields of an event that a mapping can fill. */
export const mappedFields = [
  ...(['id', 'occurredAt', 'clickedAt', 'value', 'currency', 'orderId', 'adjusts', 'sourceUrl', 'actionSource'] as const),
  ...(['adUserData', 'adPersonalization'] as const),
  ...plainFields,
  ...personFields,
] as const;
export type MappedField = (typeof mappedFields)[number];

const name = z.string().min(1).max(200);
/** A field of the record, or a constant. */
const origin = z.union([z.strictObject({ field: name }), z.strictObject({ value: name })]);

export const mappingSchema = z
  .partialRecord(z.enum(mappedFields), origin)
  .refine((mapping) => mapping.id && 'field' in mapping.id, {
    path: ['id'],
    message: 'Choose the field that identifies an event',
  })
  .refine((mapping) => mapping.occurredAt && 'field' in mapping.occurredAt, {
    path: ['occurredAt'],
    message: 'Choose the field with the time of the event',
  });
export type Mapping = z.infer<typeof mappingSchema>;

export const filterOperators = ['equals', 'not_equals', 'contains', 'exists', 'not_exists'] as const;
export const filterSchema = z
  .array(z.strictObject({ field: name, operator: z.enum(filterOperators), value: z.string().max(200).default('') }))
  .max(10);
export type Filter = z.infer<typeof filterSchema>;

export function meets(record: SourceRecord, filter: Filter): boolean {
  return filter.every(({ field, operator, value }) => {
    const text = textOf(record[field]);
    if (operator === 'exists') return text !== '';
    if (operator === 'not_exists') return text === '';
    if (operator === 'contains') return text.includes(value);
    return (text === value) === (operator === 'equals');
  });
}

/** A record as an event. `occurredAt` null: the time is missing or not readable. */
export type MappedRecord = Omit<ConversionEvent, 'occurredAt'> & {
  occurredAt: Date | null;
  /** Id of the event that this refund or correction changes; null: it is an event itself. */
  adjusts: string | null;
};

export function mapRecord(record: SourceRecord, mapping: Mapping, hashedFields: PersonField[]): MappedRecord {
  const read = (field: MappedField): string => {
    const source = mapping[field];
    if (!source) return '';
    return 'value' in source ? source.value : textOf(record[source.field]);
  };
  const optional = (field: MappedField): string | null => read(field) || null;
  const identifiers = [...plainFields, ...personFields].flatMap((field) => {
    const text = read(field);
    return text === '' ? [] : [[field, text] as const];
  });
  return {
    id: read('id'),
    occurredAt: readTime(read('occurredAt')),
    clickedAt: readTime(read('clickedAt')),
    actionSource: actionSources.find((source) => source === read('actionSource')) ?? 'website',
    sourceUrl: optional('sourceUrl'),
    value: optional('value'),
    currency: optional('currency'),
    orderId: optional('orderId'),
    adjusts: optional('adjusts'),
    identifiers: Object.fromEntries(identifiers),
    hashedFields,
    consent: { adUserData: readConsent(read('adUserData')), adPersonalization: readConsent(read('adPersonalization')) },
  };
}

const DAY_MS = 86_400_000;

/** Whether a record certainly happened before a moment. A day without a time did if it ended before; an unreadable time says nothing. */
export function occursBefore(record: SourceRecord, { occurredAt }: Mapping, moment: Date): boolean {
  const text = occurredAt && 'field' in occurredAt ? textOf(record[occurredAt.field]) : '';
  const begin = readTime(text);
  if (!begin) return false;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  return isDay ? begin.getTime() + DAY_MS <= moment.getTime() : begin < moment;
}

const textOf = (value: RecordValue | undefined): string => (value == null ? '' : String(value).trim());

/** Beyond this number a time is in milliseconds: as seconds it would be after the year 5000. */
const MAX_SECONDS = 100_000_000_000;

/** PostgreSQL has no year 0, and does not read the texts of JavaScript for the year 10000, in which such an event would expire. */
const EARLIEST_MS = Date.parse('0001-01-02T00:00:00Z');
const LATEST_MS = Date.parse('9999-01-01T00:00:00Z');

/** ISO 8601 with a time zone, or seconds or milliseconds since 1970. A time without a zone is in UTC. */
function readTime(text: string): Date | null {
  if (text === '') return null;
  const number = /^\d{9,13}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isNaN(number)) return new Date(Math.trunc(number > MAX_SECONDS ? number : number * 1_000));
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(text) ?? [];
  if (!day) return null;
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/UTC/i, 'Z').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const parsed = new Date(`${day}T${time}${offset.toUpperCase()}`);
  return parsed.getTime() >= EARLIEST_MS && parsed.getTime() <= LATEST_MS ? parsed : null;
}

/** Any other word is unknown: a wrong guess would send data without consent. */
function readConsent(text: string): ConsentStatus {
  if (/^(granted|true|yes|1|consent_granted)$/i.test(text)) return 'granted';
  return /^(denied|false|no|0|consent_denied)$/i.test(text) ? 'denied' : 'unknown';
}
