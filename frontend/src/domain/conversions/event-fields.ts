/** Where a field of an event comes from: a field of the record, or a constant. */
export type Origin = { field: string } | { value: string };
export type Mapping = Partial<Record<EventField, Origin>>;

/** Personal data that is hashed before it is sent. */
export const PERSON_FIELDS = [
  'email',
  'phone',
  'firstName',
  'lastName',
  'gender',
  'dateOfBirth',
  'city',
  'state',
  'postalCode',
  'country',
  'externalId',
] as const;
export type PersonField = (typeof PERSON_FIELDS)[number];

const CLICK_FIELDS = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'fbc', 'fbp', 'msclkid'] as const;
const ORDER_FIELDS = ['id', 'occurredAt', 'value', 'currency', 'orderId', 'adjusts'] as const;
const CONTEXT_FIELDS = ['clickedAt', 'actionSource', 'sourceUrl', 'anonymousId', 'ipAddress', 'userAgent'] as const;

export type EventField =
  | PersonField
  | (typeof CLICK_FIELDS)[number]
  | (typeof ORDER_FIELDS)[number]
  | (typeof CONTEXT_FIELDS)[number]
  | 'adUserData'
  | 'adPersonalization';

export const eventFieldLabels: Record<EventField, string> = {
  id: 'Deduplication key',
  occurredAt: 'Time of the event',
  value: 'Value',
  currency: 'Currency',
  orderId: 'Order ID',
  adjusts: 'Refunded event',
  clickedAt: 'Time of the click',
  actionSource: 'Action source',
  sourceUrl: 'Page URL',
  adUserData: 'Consent to ad user data',
  adPersonalization: 'Consent to ad personalization',
  gclid: 'gclid',
  gbraid: 'gbraid',
  wbraid: 'wbraid',
  fbclid: 'fbclid',
  fbc: 'fbc',
  fbp: 'fbp',
  msclkid: 'msclkid',
  anonymousId: 'Anonymous ID',
  ipAddress: 'IP address',
  userAgent: 'User agent',
  email: 'Email',
  phone: 'Phone',
  firstName: 'First name',
  lastName: 'Last name',
  gender: 'Gender',
  dateOfBirth: 'Date of birth',
  city: 'City',
  state: 'State or region',
  postalCode: 'Postal code',
  country: 'Country',
  externalId: 'External ID',
};

export interface FieldGroup {
  title: string;
  hint: string;
  fields: readonly EventField[];
}

/** The groups of the mapping form. Consent has its own form. */
const MAPPING_GROUPS: readonly FieldGroup[] = [
  {
    title: 'Event',
    hint: 'The deduplication key identifies an event: an event with a known key is not sent again.',
    fields: ORDER_FIELDS,
  },
  { title: 'Click IDs', hint: 'The strongest identifiers. They are sent as they are.', fields: CLICK_FIELDS },
  { title: 'Person', hint: 'Normalized and hashed with SHA-256 by the rules of the platform.', fields: PERSON_FIELDS },
  { title: 'Context', hint: 'Optional. Some platforms match more events with it.', fields: CONTEXT_FIELDS },
];

/** Sent only to platforms that take them. All other fields are read for every platform. */
const IDENTIFIERS: ReadonlySet<EventField> = new Set([
  ...CLICK_FIELDS,
  ...PERSON_FIELDS,
  'anonymousId',
  'ipAddress',
  'userAgent',
] as const);

/** Whether a platform that takes these identifiers uses the field. Null: not known. */
export const isUsed = (field: EventField, taken: readonly string[] | null): boolean =>
  taken === null || !IDENTIFIERS.has(field) || taken.includes(field);

/**
 * The groups with the fields that a platform uses, and those that are mapped already.
 * @param taken the identifiers that the platform takes; null: not known yet
 */
export const mappingGroupsFor = (taken: readonly string[] | null, mapping: Mapping): FieldGroup[] =>
  MAPPING_GROUPS.map((group) => ({
    ...group,
    fields: group.fields.filter((field) => isUsed(field, taken) || mapping[field] !== undefined),
  }));

/** These can only be read from the record: a constant would be the same for every event. */
export const RECORD_ONLY: readonly EventField[] = ['id', 'occurredAt', 'adjusts'];

export const isPersonField = (field: EventField): field is PersonField => PERSON_FIELDS.some((one) => one === field);

/** The first missing input of a mapping, or null. */
export function mappingNeeds(mapping: Mapping): string | null {
  if (!mapping.id) return 'Select the deduplication key';
  if (!mapping.occurredAt) return 'Select the time of the event';
  const hasIdentifier = [...CLICK_FIELDS, ...PERSON_FIELDS].some((field) => mapping[field] !== undefined);
  if (!hasIdentifier) return 'Select at least one click ID or one field of the person';
  const isEmpty = (origin: Origin | undefined) => origin !== undefined && 'value' in origin && origin.value.trim() === '';
  const empty = (Object.keys(mapping) as EventField[]).find((field) => isEmpty(mapping[field]));
  return empty === undefined ? null : `Enter a constant for ${eventFieldLabels[empty]}`;
}
