/** The events that are sent to ad platforms as conversions, and what happened to each of them. */

/** Where an event happened. Meta's list, which is the most detailed one. */
export const actionSources = [
  ...(['website', 'app', 'phone_call', 'chat', 'email', 'physical_store'] as const),
  ...(['system_generated', 'business_messaging', 'other'] as const),
] as const;
export type ActionSource = (typeof actionSources)[number];

/** Personal data that is hashed before it leaves the process. `country` is an ISO 3166 code of two letters. */
export const personFields = [
  ...(['email', 'phone', 'firstName', 'lastName', 'gender', 'dateOfBirth'] as const),
  ...(['city', 'state', 'postalCode', 'country', 'externalId'] as const),
] as const;
export type PersonField = (typeof personFields)[number];

/** Identifiers that the platforms expect unhashed. */
type PlainField =
  | 'gclid'
  | 'gbraid'
  | 'wbraid'
  | 'fbclid'
  | 'fbc'
  | 'fbp'
  | 'msclkid'
  | 'anonymousId'
  | 'ipAddress'
  | 'userAgent';

export type IdentifierField = PersonField | PlainField;

export type ConsentStatus = 'granted' | 'denied' | 'unknown';

export interface Consent {
  /** Consent to send the person's data to the ad platform. */
  adUserData: ConsentStatus;
  /** Consent to use the data for personalized ads. */
  adPersonalization: ConsentStatus;
}

/** One event of a conversion, with the person's data unhashed. It is kept in memory only. */
export interface ConversionEvent {
  /** The dedupe key: unique in the conversion and equal in each attempt. */
  id: string;
  occurredAt: Date;
  /** When the ad was clicked, if known. */
  clickedAt: Date | null;
  actionSource: ActionSource;
  sourceUrl: string | null;
  /** A decimal number in currency units, not in minor units: `12.50`. Null: the event has no value. */
  value: string | null;
  /** ISO 4217. */
  currency: string | null;
  orderId: string | null;
  identifiers: Partial<Record<IdentifierField, string>>;
  /** Fields that the source delivers as SHA-256 in hexadecimal. */
  hashedFields: PersonField[];
  consent: Consent;
}

/** Settings of a conversion that apply to every platform. */
export interface ConversionPolicy {
  onUnknownConsent: 'block' | 'send';
  /** Country of phone numbers without a country code, ISO 3166; an event's own country has priority. */
  defaultCountry: string | null;
  /** Whether external ids are hashed. Every channel that reports to the platform must send them in the same form. */
  hashesExternalId: boolean;
}

/** Why an event is not sent. */
export const ineligibleReasons = [
  ...(['consent_denied', 'consent_unknown', 'personalization_denied'] as const),
  ...(['too_old', 'in_future', 'before_click', 'click_too_old', 'already_removed'] as const),
  ...(['id_missing', 'id_numeric', 'missing_identifiers', 'identifiers_too_thin', 'action_source_unsupported'] as const),
  ...(['value_missing', 'value_malformed', 'value_negative', 'value_has_fraction'] as const),
  ...(['currency_missing', 'currency_unknown'] as const),
] as const;
export type IneligibleReason = (typeof ineligibleReasons)[number];

export interface Ineligible {
  state: 'ineligible';
  reason: IneligibleReason;
  /** A sentence for the user. It contains no personal data. */
  message: string;
}

/** Something about an eligible event that the user should know, such as an identifier that is left out. */
export interface Note {
  code: string;
  /** A sentence for the user. It contains no personal data. */
  message: string;
}

/** An event as it is sent: identifiers are hashed. It may be stored, and every attempt sends the same payload. */
export interface PreparedEvent {
  state: 'eligible';
  /** The dedupe key of the event. */
  id: string;
  payload: Record<string, unknown>;
  /** The rules by which the identifiers were normalized and hashed: `meta/1`. */
  rulesVersion: string;
  /** From this time on the platform rejects the event as too old. */
  expiresAt: Date;
  notes: Note[];
}

export type Preparation = PreparedEvent | Ineligible;

export const ineligible = (reason: IneligibleReason, message: string): Ineligible => ({ state: 'ineligible', reason, message });
