import {
  ineligible,
  type ActionSource,
  type ConversionEvent,
  type ConversionPolicy,
  type Ineligible,
  type Note,
  type PersonField,
  type Preparation,
} from '../kit/conversion.js';
import {
  allowsPersonalization,
  checkConsent,
  checkId,
  checkTime,
  expiresAt,
  isIneligible,
  readAmount,
  readSourceUrl,
  type AgeLimits,
} from '../kit/conversion-gates.js';
import { externalIdOf, hashIdentifiers, type Hashes } from '../kit/identifiers.js';
import { rules, RULES_VERSION, toClickId } from './identifiers.js';
import type { MetaDataset } from './request.js';

/** Events in stores may be uploaded later. One older event makes Meta reject the whole request. */
export const maxAgeDays = (source: ActionSource): number => (source === 'physical_store' ? 62 : 7);

const limitsOf = ({ actionSource }: ConversionEvent): AgeLimits => ({
  service: 'Meta',
  maxAgeDays: maxAgeDays(actionSource),
  clickWindowDays: null,
  rejectsFuture: false,
});

type UserData = Record<string, string | string[]>;

export function prepareMetaEvent(event: ConversionEvent, policy: ConversionPolicy, dataset: MetaDataset, now: Date): Preparation {
  const limits = limitsOf(event);
  const blocked =
    checkConsent(event, policy, { service: 'Meta', canRestrictPersonalization: true }) ??
    checkActionSource(event) ??
    checkTime(event, now, limits) ??
    checkId(event);
  if (blocked) return blocked;
  const amount = readAmount(event);
  if (isIneligible(amount)) return amount;
  if (!amount && dataset.eventName === 'Purchase')
    return ineligible('value_missing', 'Meta requires value and currency for the event Purchase.');
  const { hashes, notes } = hashIdentifiers(event, rules, policy);
  const external = externalIdOf(event, hashes, policy);
  const userData = toUserData(event, hashes, external.externalId);
  const missing = checkUserData(userData);
  if (missing) return missing;
  const source = readSourceUrl(event.sourceUrl);
  const payload = {
    event_time: Math.floor(event.occurredAt.getTime() / 1000),
    event_id: event.id.trim(),
    action_source: event.actionSource,
    ...(source.url && { event_source_url: source.url }),
    user_data: userData,
    ...toCustomData(event, amount),
    // Attribution only: the event is not used to optimize ads.
    ...(!allowsPersonalization(event.consent.adPersonalization, policy) && { opt_out: true }),
  };
  return {
    state: 'eligible',
    id: event.id,
    payload,
    rulesVersion: RULES_VERSION,
    expiresAt: expiresAt(event, limits),
    notes: [...notes, ...external.notes, ...source.notes, ...websiteNotes(event, source.url)],
  };
}

function checkActionSource({ actionSource }: ConversionEvent): Ineligible | null {
  if (actionSource !== 'business_messaging') return null;
  return ineligible(
    'action_source_unsupported',
    'Meta requires the id of a page or a WhatsApp account for events of business messaging. Tributary does not send these.',
  );
}

function toCustomData({ orderId }: ConversionEvent, amount: object | null): { custom_data?: object } {
  const data = { ...amount, ...(orderId?.trim() && { order_id: orderId.trim() }) };
  return Object.keys(data).length > 0 ? { custom_data: data } : {};
}

const names: Record<PersonField, string> = {
  email: 'em',
  phone: 'ph',
  firstName: 'fn',
  lastName: 'ln',
  gender: 'ge',
  dateOfBirth: 'db',
  city: 'ct',
  state: 'st',
  postalCode: 'zp',
  country: 'country',
  externalId: 'external_id',
};

/** Hashed fields are lists, all others single values. */
function toUserData(event: ConversionEvent, hashes: Hashes, externalId: string | null): UserData {
  const { ipAddress, userAgent, fbp } = event.identifiers;
  const hashed = { ...hashes, externalId };
  const plain = { client_ip_address: ipAddress, client_user_agent: userAgent, fbc: toFbc(event), fbp };
  const userData: UserData = {};
  for (const [field, hash] of Object.entries(hashed)) if (hash) userData[names[field as PersonField]] = [hash];
  for (const [name, value] of Object.entries(plain)) if (value?.trim()) userData[name] = value.trim();
  return userData;
}

/** The value of the cookie unchanged. Without it, the time at which the click id was first seen is part of the value. */
function toFbc({ identifiers: { fbc, fbclid }, clickedAt, occurredAt }: ConversionEvent): string | undefined {
  if (fbc?.trim() || !fbclid?.trim()) return fbc;
  return toClickId(fbclid.trim(), clickedAt ?? occurredAt);
}

/** Meta rejects events whose identifiers are a part of one of these lists (Conversions API, "Best practices"). */
const tooThin = [
  ['ct', 'country', 'st', 'zp', 'ge', 'client_user_agent'],
  ['db', 'client_user_agent'],
  ['fn', 'ge'],
  ['ln', 'ge'],
];

function checkUserData(userData: UserData): Ineligible | null {
  const found = Object.keys(userData);
  if (found.length === 0) return ineligible('missing_identifiers', 'The event has no identifier that Meta accepts.');
  if (!tooThin.some((names) => found.every((name) => names.includes(name)))) return null;
  return ineligible(
    'identifiers_too_thin',
    'The identifiers of the event describe too many people. Meta requires more, such as an e-mail address, phone number or click id.',
  );
}

/** Meta documents both as required, and accepts events without them. */
function websiteNotes({ actionSource, identifiers }: ConversionEvent, sourceUrl: string | null): Note[] {
  if (actionSource !== 'website') return [];
  const note = (code: string, what: string): Note => ({
    code,
    message: `The event has no ${what}. Meta expects it for events of websites and may match fewer of them.`,
  });
  return [
    ...(identifiers.userAgent?.trim() ? [] : [note('user_agent_missing', 'user agent')]),
    ...(sourceUrl ? [] : [note('source_url_missing', 'address of the page')]),
  ];
}
