import { ineligible, type PreparedEvent, type Preparation } from '../../kit/conversion.js';
import type { GoogleConversionAction } from '../request.js';

interface IngestEvent {
  transactionId?: string;
  eventTimestamp?: string;
  eventSource?: string;
  conversionValue?: number;
  currency?: string;
  adIdentifiers?: Record<string, string>;
  userData?: { userIdentifiers?: { emailAddress?: string; phoneNumber?: string }[] };
  consent?: Record<string, string>;
}

/**
 * A row of `uploadClickConversions`, from the payload for the Data Manager API. Events are stored in one form for both, so that those
 * that wait can be sent after the user chose the other API.
 */
export function toClickConversion(action: GoogleConversionAction, payload: Record<string, unknown>): Record<string, unknown> {
  const event = payload as IngestEvent;
  const userIdentifiers = userIdentifiersOf(event);
  return {
    ...event.adIdentifiers,
    conversionAction: resourceNameOf(action),
    conversionDateTime: toDateTime(new Date(event.eventTimestamp ?? Number.NaN)),
    ...(event.conversionValue !== undefined && { conversionValue: event.conversionValue, currencyCode: event.currency }),
    orderId: event.transactionId,
    ...(userIdentifiers.length > 0 && { userIdentifiers }),
    ...(event.consent && { consent: consentOf(event.consent) }),
    ...(isEnvironment(event.eventSource) && { conversionEnvironment: event.eventSource }),
  };
}

export const resourceNameOf = ({ accountId, conversionActionId }: GoogleConversionAction): string =>
  `customers/${accountId}/conversionActions/${conversionActionId}`;

/** `2026-11-24 09:30:00+00:00`, without fractions of a second. */
export const toDateTime = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')}+00:00`;

const isEnvironment = (source: string | undefined): boolean => source === 'WEB' || source === 'APP';

/** Addresses are not supported here. */
const userIdentifiersOf = ({ userData }: IngestEvent): object[] =>
  (userData?.userIdentifiers ?? []).flatMap(({ emailAddress, phoneNumber }) => {
    const hash = emailAddress ? { hashedEmail: emailAddress } : phoneNumber ? { hashedPhoneNumber: phoneNumber } : null;
    return hash ? [{ userIdentifierSource: 'FIRST_PARTY', ...hash }] : [];
  });

/** The same values without the prefix `CONSENT_`. */
const consentOf = (consent: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(consent).map(([name, status]) => [name, status.replace('CONSENT_', '')]));

/** Whether the upload can identify the event, too. */
export function checkUploadable(preparation: Preparation): Preparation {
  if (preparation.state !== 'eligible') return preparation;
  const event = preparation.payload as IngestEvent;
  if (event.adIdentifiers || userIdentifiersOf(event).length > 0) return preparation;
  return ineligible('missing_identifiers', 'The event has no Google click id, valid e-mail address or phone number.');
}

/** Body of `uploadClickConversions`. Google requires `partialFailure`. */
export const buildUploadRequest = (
  action: GoogleConversionAction,
  events: PreparedEvent[],
  validateOnly = false,
): Record<string, unknown> => ({
  conversions: events.map(({ payload }) => toClickConversion(action, payload)),
  partialFailure: true,
  ...(validateOnly && { validateOnly }),
});
