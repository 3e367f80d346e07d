import { missing, type FieldViolation } from './errors.ts';
import type { IngestEvent, IngestRequest, UserIdentifier } from './types.ts';

const dayMs = 86_400_000;
/** Google publishes no window for Google Ads. Clicks are kept for 90 days, so older events cannot be matched. */
const maximumEventDays = 90;
/** For clocks that differ. */
const futureToleranceMs = 60_000;
const maximumIdentifiers = 10;
const sha256Bytes = 32;
const currencies = new Set(Intl.supportedValuesOf('currency'));

type Add = (field: string, reason: string, description: string) => void;

/** What can be checked without knowing the destinations. */
export function eventFormatProblems(event: IngestEvent, index: number, request: IngestRequest, now: number): FieldViolation[] {
  const path = `events.events[${index}]`;
  const problems: FieldViolation[] = [];
  const add: Add = (field, reason, description) =>
    problems.push({ field: field ? `${path}.${field}` : path, description, reason });
  checkTime(event, now, add);
  checkReferences(event, request, add);
  checkIdentifiers(event, add);
  for (const [position, identifier] of (event.userData?.userIdentifiers ?? []).entries())
    problems.push(...identifierProblems(identifier, `${path}.user_data.user_identifiers[${position}]`, request.encoding));
  if (event.currency !== undefined && !currencies.has(event.currency))
    add('currency', 'INVALID_CURRENCY_CODE', 'The currency code is not supported.');
  if (event.eventSource === 'EVENT_SOURCE_UNSPECIFIED') add('event_source', 'INVALID_ENUM_VALUE', 'Enum value cannot be used.');
  if (event.cartData && !event.cartData.items?.length) problems.push(missing(`${path}.cart_data.items`));
  for (const [position, { value = '' }] of (event.customVariables ?? []).entries()) {
    const description = 'The custom variable value contains personally identifiable information (PII).';
    if (value.includes('@')) add(`custom_variables[${position}].value`, 'CUSTOM_VARIABLE_VALUE_CONTAINS_PII', description);
  }
  return problems;
}

function checkTime({ eventTimestamp }: IngestEvent, now: number, add: Add): void {
  if (!eventTimestamp) return add('event_timestamp', 'REQUIRED_FIELD_MISSING', 'Required field is missing.');
  const at = Date.parse(eventTimestamp);
  if (at <= now + futureToleranceMs && at >= now - maximumEventDays * dayMs) return;
  add('event_timestamp', 'EVENT_TIME_INVALID', 'Event did not occur within the acceptable time window.');
}

function checkReferences({ destinationReferences = [] }: IngestEvent, { destinations = [] }: IngestRequest, add: Add): void {
  for (const [position, reference] of destinationReferences.entries()) {
    if (destinations.some((destination) => destination.reference === reference)) continue;
    add(`destination_references[${position}]`, 'INVALID_DESTINATION', 'This Destination is not valid.');
  }
}

/** At least one of: a click id, session attributes, the address of the landing page's or the event's device, user data. */
function checkIdentifiers({ adIdentifiers, userData, thirdPartyUserData, eventDeviceInfo }: IngestEvent, add: Add): void {
  const { gclid, gbraid, wbraid, sessionAttributes, landingPageDeviceInfo } = adIdentifiers ?? {};
  const clickIds = [gclid, gbraid, wbraid].filter(Boolean);
  if (clickIds.length > 1) add('ad_identifiers', 'INVALID_EVENT', 'This event is not valid.');
  if (thirdPartyUserData)
    add('third_party_user_data', 'THIRD_PARTY_USER_DATA_NOT_ALLOWED', 'Third party user data can only be set by data partners.');
  if (userData && !userData.userIdentifiers?.length)
    add('user_data.user_identifiers', 'REQUIRED_FIELD_MISSING', 'Required field is missing.');
  if ((userData?.userIdentifiers?.length ?? 0) > maximumIdentifiers) {
    const description = 'Maximum number of user identifiers allowed per audience member is 10.';
    add('user_data.user_identifiers', 'TOO_MANY_USER_IDENTIFIERS', description);
  }
  const others = [sessionAttributes, landingPageDeviceInfo?.ipAddress, eventDeviceInfo?.ipAddress, userData];
  if (clickIds.length === 0 && !others.some(Boolean))
    add('', 'NO_IDENTIFIERS_PROVIDED', 'Events data contains no user identifiers or ad identifiers.');
}

/** Violations name the identifier, not the field in it, as in the published examples. */
function identifierProblems(identifier: UserIdentifier, field: string, encoding: string | undefined): FieldViolation[] {
  const { emailAddress, phoneNumber, address } = identifier;
  const given = [emailAddress, phoneNumber, address].filter((one) => one !== undefined);
  if (given.length !== 1) return [missing(field)];
  if (!address) return hashProblems(emailAddress ?? phoneNumber ?? '', field, encoding);
  const { givenName, familyName, regionCode, postalCode } = address;
  if (!givenName || !familyName || !regionCode || !postalCode) return [missing(`${field}.address`)];
  const region = /^[A-Z]{2}$/i.test(regionCode)
    ? []
    : [{ field: `${field}.address.region_code`, description: 'The region code is not valid.', reason: 'INVALID_REGION_CODE' }];
  return [...[givenName, familyName].flatMap((name) => hashProblems(name, field, encoding)), ...region];
}

function hashProblems(value: string, field: string, encoding: string | undefined): FieldViolation[] {
  const isHex = encoding !== 'BASE64';
  const isEncoded = isHex ? /^(?:[0-9a-f]{2})+$/i.test(value) : /^[A-Za-z0-9+/_-]+={0,2}$/.test(value);
  if (!isEncoded) {
    const [name, reason] = isHex ? ['HEX', 'INVALID_HEX_ENCODING'] : ['base64', 'INVALID_BASE64_ENCODING'];
    return [{ field, description: `The ${name} encoded value is malformed.`, reason }];
  }
  if (Buffer.from(value, isHex ? 'hex' : 'base64').length === sha256Bytes) return [];
  return [{ field, description: 'The SHA256 encoded value is malformed.', reason: 'INVALID_SHA256_FORMAT' }];
}
