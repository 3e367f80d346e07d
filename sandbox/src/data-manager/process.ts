import type { Fault } from '../faults.ts';
import { accounts } from '../google-ads/accounts.ts';
import type { ConversionStore, StoredConversion } from '../google-ads/conversion-store.ts';
import { matchClick } from '../google-ads/match-click.ts';
import { affects } from './faults.ts';
import type { DestinationResult } from './state.ts';
import type { IngestEvent, IngestRequest } from './types.ts';
import { targetsOf, type Target, type ValidRequest } from './validate.ts';

/** Switched on by faults. */
export interface Effects {
  failEvents: Fault | undefined;
  dropEvents: Fault | undefined;
  duplicateRejected: Fault | undefined;
  /** Consent setting of the account, DENIED or NONE. */
  consentOf: (customerId: string) => string | undefined;
}

interface Processing {
  store: ConversionStore;
  request: IngestRequest;
  effects: Effects;
  requestId: string;
  now: number;
}

/** Decides the outcome of each event, and stores the conversions. */
export function processRequest(
  store: ConversionStore,
  { request, events, targets }: ValidRequest,
  effects: Effects,
  { requestId, now, readyAt }: { requestId: string; now: number; readyAt: number },
): DestinationResult[] {
  const processing = { store, request, effects, requestId, now };
  return targets.map((target) => {
    const own = events.filter((event) => targetsOf(event, targets).includes(target));
    const failures = processTarget(processing, own, target);
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    const { customerId, action } = target;
    const upload = { customerId, actionId: action.id, client: 'ADS_DATA_CONNECTOR' as const, jobId: jobIdOf(requestId) };
    store.addUpload({ ...upload, at: now, readyAt, successful: own.length - failed, failures });
    return { destination: target.destination, records: own.length, failures };
  });
}

function processTarget(processing: Processing, events: IngestEvent[], target: Target): Record<string, number> {
  const { failEvents, dropEvents } = processing.effects;
  const reasons = reasonsOf(failEvents);
  const failures: Record<string, number> = {};
  let failedByFault = 0;
  for (const [position, event] of events.entries()) {
    let reason: string | null = null;
    if (affects(failEvents, position)) reason = reasons[failedByFault++ % reasons.length] as string;
    else if (!affects(dropEvents, position)) reason = record(processing, event, target);
    if (reason) failures[fullReason(reason)] = (failures[fullReason(reason)] ?? 0) + 1;
  }
  return failures;
}

function reasonsOf(fault: Fault | undefined): string[] {
  const given = fault?.parameters.reasons;
  const reasons = Array.isArray(given) ? given.filter((reason) => typeof reason === 'string') : [];
  return reasons.length > 0 ? reasons : ['INTERNAL_ERROR'];
}

/** One reason has another prefix, and faults may name one in full. */
function fullReason(reason: string): string {
  if (reason.startsWith('PROCESSING_ERROR_')) return reason;
  if (reason === 'OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER') return `PROCESSING_ERROR_${reason}`;
  return `PROCESSING_ERROR_REASON_${reason}`;
}

/** Stores the event as a conversion, or as the adjustment of one. Returns the reason if it fails. */
function record(processing: Processing, event: IngestEvent, target: Target): string | null {
  const { store, now } = processing;
  const consent = consentProblem(processing, event, target);
  if (consent) return consent;
  const transactionId = event.transactionId ?? null;
  const actionId = target.action.id;
  const eventTime = new Date(event.eventTimestamp as string).toISOString();
  const known = transactionId === null ? undefined : store.find({ actionId, transactionId, clickId: null, eventTime });
  if (known) return adjust(processing, known, event, target);
  const hashes = hashesOf(event, processing.request);
  const query = { clickIds: event.adIdentifiers ?? {}, hashes, eventAt: Date.parse(eventTime) };
  const click = matchClick(query, target.action, now);
  if (typeof click === 'string') return click;
  const clickId = click.id;
  if (transactionId === null && store.find({ actionId, transactionId, clickId, eventTime })) return 'DUPLICATE_GCLID';
  const { value, currency } = valueOf(event, target);
  store.put({
    customerId: target.customerId,
    actionId,
    client: 'ADS_DATA_CONNECTOR',
    transactionId,
    clickId,
    eventTime,
    value,
    currency,
    count: event.conversionCount ?? 1,
    hasUserData: event.userData !== undefined,
    isRetracted: false,
    versions: [{ at: new Date(now).toISOString(), requestId: processing.requestId, value, currency }],
    adjustedAt: null,
  });
  return null;
}

/** Value and currency are replaced, user data is only added where there was none, everything else is ignored. */
function adjust(
  { store, effects, requestId, now }: Processing,
  known: StoredConversion,
  event: IngestEvent,
  target: Target,
): string | null {
  if (effects.duplicateRejected) return 'DUPLICATE_TRANSACTION_ID';
  const isUnchanged = event.conversionValue === undefined || target.action.alwaysUsesDefault;
  const { value, currency } = isUnchanged ? known : valueOf(event, target);
  const version = { at: new Date(now).toISOString(), requestId, value, currency };
  const hasUserData = known.hasUserData || event.userData !== undefined;
  store.put({ ...known, value, currency, hasUserData, versions: [...known.versions, version] });
  return null;
}

function valueOf({ conversionValue, currency }: IngestEvent, { action }: Target): { value: number; currency: string } {
  if (conversionValue === undefined || action.alwaysUsesDefault)
    return { value: action.defaultValue, currency: action.currencyCode };
  return { value: conversionValue, currency: currency ?? action.currencyCode };
}

/** The event's consent overrides the request's. Without either, the account's setting counts. */
function consentProblem({ request, effects }: Processing, event: IngestEvent, { customerId }: Target): string | null {
  const setting = effects.consentOf(customerId);
  if (setting === 'NONE') return 'NO_CONSENT';
  const isGiven = (status: string | undefined): boolean => status !== undefined && status !== 'CONSENT_STATUS_UNSPECIFIED';
  const status = [event.consent?.adUserData, request.consent?.adUserData].find(isGiven);
  if (status === 'CONSENT_DENIED' || (!status && setting === 'DENIED')) return 'DENIED_CONSENT';
  return !status && accounts.get(customerId)?.needsConsent ? 'UNKNOWN_CONSENT' : null;
}

function hashesOf({ userData }: IngestEvent, { encoding }: IngestRequest): string[] {
  return (userData?.userIdentifiers ?? [])
    .map(({ emailAddress, phoneNumber }) => emailAddress ?? phoneNumber ?? '')
    .map((hash) => (encoding === 'BASE64' ? Buffer.from(hash, 'base64').toString('hex') : hash.toLowerCase()));
}

/** Job ids that Google generates are at least 2^31. */
function jobIdOf(requestId: string): string {
  return String(2 ** 31 + parseInt(requestId.replace(/\D/g, '').slice(0, 9) || '0', 10));
}
