import { createHash } from 'node:crypto';
import type { IneligibleReason, PersonField, PreparedEvent } from '../../connectors/kit/conversion.js';
import type { ConversionTarget } from '../../connectors/kit/conversion-target.js';
import type { SourceRecord } from '../../connectors/kit/conversion-source.js';
import { mapRecord, type MappedRecord, type Mapping } from '../settings/mapping.js';

/** Reasons that do not depend on the platform. */
export type LedgerReason =
  | IneligibleReason
  | 'time_unreadable'
  | 'id_personal'
  | 'not_first'
  | 'adjustments_off'
  | 'adjustments_unsupported'
  | 'original_not_sent'
  | 'original_unknown'
  | 'currency_differs';

export interface Rejected {
  reason: LedgerReason;
  message: string;
}

/** An event before it is stored. */
export interface NewEvent {
  dedupeKey: string;
  adjusts: string | null;
  /** Null: not readable. */
  occurredAt: Date | null;
  orderId: string | null;
  clickId: string | null;
  personKey: string | null;
  /** A decimal number; null: none, or not readable. */
  value: string | null;
  currency: string | null;
  identifiers: string[];
  /** `notBefore`: an event from the near future waits until its time. */
  result: { prepared: PreparedEvent; notBefore?: Date } | { rejected: Rejected } | 'adjustment';
}

export interface PrepareRules {
  conversionId: string;
  mapping: Mapping;
  hashedFields: PersonField[];
  countsFirstOnly: boolean;
  sendsAdjustments: boolean;
  target: ConversionTarget;
}

/** The column holds 18 digits before the point and rounds to six after it. Longer texts are no amounts. */
const DECIMAL = /^-?\d{1,15}(\.\d{1,30})?$/;
/** Clocks and time zones differ by less. A later time is more likely that of something else, such as a delivery. */
const MAX_WAIT_MS = 86_400_000;
/** Longer ids are hashed, so that the index stays small. */
const MAX_ID_CHARACTERS = 200;
const clickFields = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'fbc', 'msclkid'] as const;

export function prepareEvent(record: SourceRecord, rules: PrepareRules, now: Date): NewEvent {
  const mapped = mapRecord(record, rules.mapping, rules.hashedFields);
  const base = describe(mapped, record, rules);
  const reject = (reason: LedgerReason, message: string): NewEvent => ({ ...base, result: { rejected: { reason, message } } });
  if (isPersonal(mapped.id))
    return reject(
      'id_personal',
      'The field that identifies the event contains an e-mail address. Choose a field such as the order id.',
    );
  if (!mapped.occurredAt) return reject('time_unreadable', 'The time of the event is missing or not readable.');
  if (mapped.adjusts) return prepareAdjustmentEvent(base, rules, reject);
  const { adjusts: _, occurredAt, ...event } = mapped;
  const prepareAt = (at: Date) => rules.target.prepare({ ...event, occurredAt }, at);
  const preparation = prepareAt(now);
  if (preparation.state === 'eligible') return { ...base, result: { prepared: preparation } };
  const waits = preparation.reason === 'in_future' && occurredAt.getTime() - now.getTime() <= MAX_WAIT_MS;
  const later = waits ? prepareAt(occurredAt) : preparation;
  if (later.state === 'eligible') return { ...base, result: { prepared: later, notBefore: occurredAt } };
  return reject(later.reason, later.message);
}

/** Its payload is built when the original was sent, because it contains the value that remains. */
function prepareAdjustmentEvent(
  base: NewEvent,
  { sendsAdjustments, target }: PrepareRules,
  reject: (reason: LedgerReason, message: string) => NewEvent,
): NewEvent {
  if (!sendsAdjustments) return reject('adjustments_off', 'The conversion does not send refunds and corrections.');
  if (!target.traits.adjustments.canRestate) return reject('adjustments_unsupported', target.traits.adjustments.refunds);
  if (base.value === null) return reject('value_malformed', 'The amount of the refund is missing or not a decimal number.');
  return { ...base, result: 'adjustment' };
}

function describe(mapped: MappedRecord, record: SourceRecord, rules: PrepareRules): NewEvent {
  const { identifiers } = mapped;
  const clickId = clickFields.map((field) => identifiers[field]).find((value) => value !== undefined) ?? null;
  return {
    dedupeKey: keyOf(mapped.id, record),
    adjusts: mapped.adjusts && keyOf(mapped.adjusts, record),
    occurredAt: mapped.occurredAt,
    orderId: mapped.orderId && !isPersonal(mapped.orderId) ? mapped.orderId.slice(0, MAX_ID_CHARACTERS) : null,
    clickId: clickId?.slice(0, MAX_ID_CHARACTERS) ?? null,
    personKey: rules.countsFirstOnly && !mapped.adjusts ? personKeyOf(mapped, rules.conversionId) : null,
    value: mapped.value && DECIMAL.test(mapped.value) ? mapped.value : null,
    currency: mapped.currency && /^[a-z]{3}$/i.test(mapped.currency) ? mapped.currency.toUpperCase() : null,
    identifiers: Object.keys(identifiers),
    result: 'adjustment',
  };
}

const isPersonal = (id: string): boolean => id.includes('@');

/** A record without an id is identified by its content, so that it is counted once. */
function keyOf(id: string, record: SourceRecord): string {
  if (id === '') return `record:${sha256(JSON.stringify(record))}`;
  return isPersonal(id) || id.length > MAX_ID_CHARACTERS ? `sha256:${sha256(id)}` : id;
}

/** Null for a person without an identifier: such events all count. */
function personKeyOf({ identifiers, hashedFields }: MappedRecord, conversionId: string): string | null {
  for (const field of ['externalId', 'email', 'phone'] as const) {
    const text = identifiers[field]?.trim().toLowerCase();
    if (!text) continue;
    const hashed = hashedFields.includes(field) ? text : sha256(text);
    return sha256(`${conversionId}:${field}:${hashed}`);
  }
  return null;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
