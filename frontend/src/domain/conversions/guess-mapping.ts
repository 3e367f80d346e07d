import type { EventField, Mapping, PersonField } from './event-fields';
import { isUsed, PERSON_FIELDS } from './event-fields';

interface SampledFields {
  fields: string[];
  /** The fields that usually identify a record and hold its time; null: unknown. */
  idField: string | null;
  timeField: string | null;
}

/** The usual names of each field, without separators and in lower case; the most specific first. */
const USUAL_NAMES: Record<Exclude<EventField, 'actionSource'>, string[]> = {
  id: ['eventid', 'orderid', 'ordernumber', 'transactionid', 'insertid', 'id'],
  occurredAt: ['occurredat', 'eventtime', 'conversiontime', 'orderedat', 'purchasedat', 'createdat', 'timestamp', 'time', 'at'],
  value: ['value', 'conversionvalue', 'revenue', 'total', 'totalprice', 'amount', 'price'],
  // The amount of a payment is in the currency in which the customer paid.
  currency: ['chargedcurrency', 'currency', 'currencycode'],
  orderId: ['orderid', 'ordernumber', 'transactionid', 'paymentid'],
  adjusts: ['refundof', 'refundedorderid', 'originalorderid', 'originaleventid', 'adjusts'],
  clickedAt: ['clickedat', 'clicktime'],
  sourceUrl: ['sourceurl', 'eventsourceurl', 'pageurl', 'url'],
  adUserData: ['aduserdata', 'consentaduserdata', 'marketingconsent', 'consent'],
  adPersonalization: ['adpersonalization', 'consentadpersonalization', 'marketingconsent', 'consent'],
  gclid: ['gclid'],
  gbraid: ['gbraid'],
  wbraid: ['wbraid'],
  fbclid: ['fbclid'],
  fbc: ['fbc'],
  fbp: ['fbp'],
  msclkid: ['msclkid'],
  anonymousId: ['anonymousid'],
  ipAddress: ['ipaddress', 'clientipaddress', 'ip'],
  userAgent: ['useragent', 'clientuseragent'],
  email: ['email', 'emailaddress', 'mail', 'hashedemail', 'emailhash', 'emailsha256'],
  phone: ['phone', 'phonenumber', 'mobile', 'telephone', 'hashedphone', 'phonehash', 'phonesha256'],
  firstName: ['firstname', 'givenname'],
  lastName: ['lastname', 'familyname', 'surname'],
  gender: ['gender'],
  dateOfBirth: ['dateofbirth', 'birthdate', 'birthday', 'dob'],
  city: ['city'],
  state: ['state', 'region', 'province'],
  postalCode: ['postalcode', 'postcode', 'zipcode', 'zip'],
  country: ['country', 'countrycode'],
  externalId: ['externalid', 'stripecustomerid', 'customerid', 'userid'],
};

/** `customer.E-mail_Address` becomes `emailaddress`. */
const plainName = (path: string): string => (path.split('.').at(-1) ?? path).toLowerCase().replace(/[^a-z0-9]/g, '');

function findField(fields: string[], usual: string[]): string | null {
  for (const name of usual) {
    const found = fields.find((field) => plainName(field) === name);
    if (found !== undefined) return found;
  }
  return null;
}

/** A mapping by the usual names of fields. Fields without a match stay unmapped. */
export function guessMapping({ fields, idField, timeField }: SampledFields): Mapping {
  // The fields that Tributary adds to pushed events are used only when nothing else fits.
  const own = fields.filter((field) => !field.startsWith('push.'));
  const found = Object.entries(USUAL_NAMES).flatMap(([name, usual]): [string, { field: string }][] => {
    const field = findField(own, usual);
    return field === null ? [] : [[name, { field }]];
  });
  const mapping: Mapping = Object.fromEntries(found);
  if (!mapping.id && idField !== null) mapping.id = { field: idField };
  if (!mapping.occurredAt && timeField !== null) mapping.occurredAt = { field: timeField };
  return mapping;
}

/** The mapped person fields whose names say that they are hashed already. */
export const guessHashedFields = (mapping: Mapping): PersonField[] =>
  PERSON_FIELDS.filter((name) => {
    const origin = mapping[name];
    return origin !== undefined && 'field' in origin && /hash|sha_?256/i.test(origin.field);
  });

/**
 * The mapping for another sample or platform: mapped fields stay, the usual ones are added, and identifiers that the platform does not
 * take are left out.
 * @param taken the identifiers that the platform takes; null: not known
 */
export function completeMapping(
  { mapping, hashedFields }: { mapping: Mapping; hashedFields: PersonField[] },
  sample: SampledFields,
  taken: readonly string[] | null,
): { mapping: Mapping; hashedFields: PersonField[] } {
  const all = Object.entries({ ...guessMapping(sample), ...mapping }).filter(([field]) => isUsed(field as EventField, taken));
  const completed: Mapping = Object.fromEntries(all);
  const added = guessHashedFields(completed).filter((field) => mapping[field] === undefined);
  return { mapping: completed, hashedFields: [...hashedFields, ...added] };
}
