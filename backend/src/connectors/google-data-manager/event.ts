import {
  ineligible,
  type ActionSource,
  type ConversionEvent,
  type ConversionPolicy,
  type Ineligible,
  type Preparation,
} from '../kit/conversion.js';
import {
  checkConsent,
  checkId,
  checkTime,
  expiresAt,
  isIneligible,
  readAmount,
  type AgeLimits,
  type Amount,
} from '../kit/conversion-gates.js';
import { hashIdentifiers, type Hashes } from '../kit/identifiers.js';
import { rules, RULES_VERSION, toPostalCode, toRegionCode } from './identifiers.js';
import type { GoogleConversionAction } from './request.js';

/** Google imports no click older than 90 days (Google Ads help 7012522). An action may have a shorter window, or fewer days. */
export const MAX_AGE_DAYS = 90;

export const limits: AgeLimits = {
  service: 'Google Ads',
  maxAgeDays: MAX_AGE_DAYS,
  clickWindowDays: MAX_AGE_DAYS,
  rejectsFuture: true,
};

const eventSources: Record<ActionSource, string> = {
  website: 'WEB',
  app: 'APP',
  phone_call: 'PHONE',
  chat: 'MESSAGE',
  email: 'OTHER',
  physical_store: 'IN_STORE',
  system_generated: 'OTHER',
  business_messaging: 'MESSAGE',
  other: 'OTHER',
};

export function prepareGoogleEvent(
  event: ConversionEvent,
  policy: ConversionPolicy,
  action: GoogleConversionAction,
  now: Date,
): Preparation {
  const blocked =
    checkConsent(event, policy, { service: 'Google Ads', canRestrictPersonalization: true }) ??
    checkTime(event, now, limits) ??
    checkId(event) ??
    checkTransactionId(event, action);
  if (blocked) return blocked;
  const amount = readAmount(event);
  if (isIneligible(amount)) return amount;
  const { hashes, notes } = hashIdentifiers(event, rules, policy);
  const adIdentifiers = toAdIdentifiers(event);
  const userIdentifiers = toUserIdentifiers(hashes, event);
  if (!adIdentifiers && userIdentifiers.length === 0)
    return ineligible('missing_identifiers', 'The event has no Google click id, valid e-mail address, phone number or address.');
  const payload = {
    transactionId: toTransactionId(event, action),
    eventTimestamp: event.occurredAt.toISOString(),
    eventSource: eventSources[event.actionSource],
    ...amountFields(amount),
    ...(adIdentifiers && { adIdentifiers }),
    ...(userIdentifiers.length > 0 && { userData: { userIdentifiers } }),
    consent: toConsent(event),
  };
  return { state: 'eligible', id: event.id, payload, rulesVersion: RULES_VERSION, expiresAt: expiresAt(event, limits), notes };
}

const toTransactionId = (event: ConversionEvent, action: GoogleConversionAction): string =>
  action.transactionIdPrefix + event.id.trim();

/** Google rejects the whole request because of such an id, and validate-only requests do not show it. */
function checkTransactionId(event: ConversionEvent, action: GoogleConversionAction): Ineligible | null {
  if (!/^\d+$/.test(toTransactionId(event, action))) return null;
  return ineligible('id_numeric', 'Google Ads rejects order ids that contain only digits. Set a prefix for the ids.');
}

/** In currency units, not in micros. */
function amountFields(amount: Amount | null): { conversionValue?: number; currency?: string } {
  return amount ? { conversionValue: amount.value, currency: amount.currency } : {};
}

/** Google accepts exactly one click id. */
function toAdIdentifiers({ identifiers }: ConversionEvent): Record<string, string> | null {
  for (const name of ['gclid', 'gbraid', 'wbraid'] as const) {
    const id = identifiers[name]?.trim();
    if (id) return { [name]: id };
  }
  return null;
}

function toUserIdentifiers({ email, phone, firstName, lastName }: Hashes, event: ConversionEvent): object[] {
  const address = firstName && lastName ? toAddress(firstName, lastName, event) : null;
  return [
    ...(email ? [{ emailAddress: email }] : []),
    ...(phone ? [{ phoneNumber: phone }] : []),
    ...(address ? [{ address }] : []),
  ];
}

/** All four parts are required. Country and postal code are not hashed, so hashes of them cannot be sent. */
function toAddress(givenName: string, familyName: string, { identifiers, hashedFields }: ConversionEvent): object | null {
  if (hashedFields.includes('country') || hashedFields.includes('postalCode')) return null;
  const regionCode = toRegionCode(identifiers.country ?? '');
  const postalCode = toPostalCode(identifiers.postalCode ?? '');
  return regionCode && postalCode ? { givenName, familyName, regionCode, postalCode } : null;
}

const statuses = { granted: 'CONSENT_GRANTED', denied: 'CONSENT_DENIED' } as const;

/** Unknown consent is left out: the settings of the Google account apply. */
function toConsent({ consent: { adUserData, adPersonalization } }: ConversionEvent): Record<string, string> {
  return {
    ...(adUserData !== 'unknown' && { adUserData: statuses[adUserData] }),
    ...(adPersonalization !== 'unknown' && { adPersonalization: statuses[adPersonalization] }),
  };
}
