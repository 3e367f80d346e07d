import {
  ineligible,
  type ConversionEvent,
  type ConversionPolicy,
  type Note,
  type Preparation,
  type PreparedEvent,
} from '../kit/conversion.js';
import {
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
import { normalizeExternalId, readClickId, rules as offlineRules, RULES_VERSION } from './identifiers.js';

export const UET_MAX_AGE_DAYS = 7;

/** Identifies the sender. Microsoft requires it from third parties. */
export const DATA_PROVIDER = 'tributary';

const SERVICE = 'Microsoft Advertising';
const limits: AgeLimits = { service: SERVICE, maxAgeDays: UET_MAX_AGE_DAYS, clickWindowDays: null, rejectsFuture: false };
const rules = { ...offlineRules, externalId: normalizeExternalId };

export function prepareUetEvent(event: ConversionEvent, policy: ConversionPolicy, now: Date): Preparation {
  const blocked =
    checkConsent(event, policy, { service: SERVICE, canRestrictPersonalization: false }) ??
    checkTime(event, now, limits) ??
    checkId(event);
  if (blocked) return blocked;
  const amount = readAmount(event);
  if (isIneligible(amount)) return amount;
  const { hashes, notes } = hashIdentifiers(event, rules, policy);
  const { identifiers, notes: identifierNotes } = toIdentifiers(event, hashes, policy);
  if (Object.keys(identifiers).length === 0)
    return ineligible(
      'missing_identifiers',
      'The event has no Microsoft click id, valid e-mail address, phone number, external id or visitor id.',
    );
  const source = readSourceUrl(event.sourceUrl);
  const id = event.id.trim();
  const payload = {
    eventType: 'custom',
    eventId: id,
    eventTime: Math.floor(event.occurredAt.getTime() / 1000),
    ...(source.url && { eventSourceUrl: source.url }),
    // Microsoft takes a missing value as granted, so an event of unknown consent is sent only if the conversion allows it.
    ...(event.consent.adUserData === 'granted' && { adStorageConsent: 'G' }),
    userData: { ...identifiers, ...toDevice(event) },
    // The transaction id is the key of a later adjustment.
    customData: { transactionId: id, ...amount },
  };
  return {
    state: 'eligible',
    id: event.id,
    payload,
    rulesVersion: RULES_VERSION,
    expiresAt: expiresAt(event, limits),
    notes: [...notes, ...identifierNotes, ...source.notes],
  };
}

function toIdentifiers(
  event: ConversionEvent,
  hashes: Hashes,
  policy: ConversionPolicy,
): { identifiers: Record<string, string>; notes: Note[] } {
  const { msclkid, anonymousId } = event.identifiers;
  const clickId = readClickId(msclkid);
  const { externalId, notes } = externalIdOf(event, hashes, policy);
  const found = {
    em: hashes.email,
    ph: hashes.phone,
    msclkid: clickId,
    anonymousId: anonymousId?.trim(),
    externalId,
  };
  return {
    identifiers: Object.fromEntries(Object.entries(found).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    notes: msclkid?.trim() && !clickId ? [...notes, clickIdUnusable] : notes,
  };
}

const clickIdUnusable: Note = {
  code: 'click_id_unusable',
  message: 'The Microsoft click id is not a UUID, so it is not sent.',
};

function toDevice({ identifiers: { ipAddress, userAgent } }: ConversionEvent): Record<string, string> {
  return {
    ...(userAgent?.trim() && { clientUserAgent: userAgent.trim() }),
    ...(ipAddress?.trim() && { clientIpAddress: ipAddress.trim() }),
  };
}

/**
 * Body of a POST to `/v1/{tag id}/events`. One invalid event rejects all of them, and only ten problems are listed. Otherwise the
 * valid events would be processed, and with more than ten problems it could not be known which ones. The name of the event is that of
 * the goal when it is sent: another one may be chosen while an event waits.
 */
export function buildUetRequest(eventName: string, events: PreparedEvent[]): Record<string, unknown> {
  const data = events.map(({ payload }) => ({ ...payload, eventName }));
  return { data, continueOnValidationError: false, dataProvider: DATA_PROVIDER };
}
