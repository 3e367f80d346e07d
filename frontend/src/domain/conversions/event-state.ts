import type { Tone } from '~/domain/connections/connection-state';
import { numberFormat } from '~/lib/intl';

export type EventState =
  | 'ineligible'
  | 'queued'
  | 'sent'
  | 'accepted'
  | 'processed'
  | 'unmatched'
  | 'rejected'
  | 'retrying'
  | 'dead'
  | 'expired'
  | 'adjusted';

export const eventStateTable: Record<EventState, { word: string; tone: Tone }> = {
  rejected: { word: 'Rejected', tone: 'danger' },
  dead: { word: 'Given up', tone: 'danger' },
  expired: { word: 'Expired', tone: 'warn' },
  retrying: { word: 'Retrying', tone: 'warn' },
  unmatched: { word: 'No match', tone: 'warn' },
  ineligible: { word: 'Not eligible', tone: 'idle' },
  queued: { word: 'Waiting', tone: 'accent' },
  sent: { word: 'Sent', tone: 'accent' },
  accepted: { word: 'Accepted', tone: 'good' },
  processed: { word: 'Processed', tone: 'good' },
  adjusted: { word: 'Adjusted', tone: 'good' },
};

export const EVENT_STATES = Object.keys(eventStateTable) as EventState[];

/** Only events that the platform does not have can be sent again. */
export const isReplayable = (state: EventState): boolean => state === 'rejected' || state === 'dead';

/** `missing_identifiers` becomes `Missing identifiers`. */
export const codeText = (code: string): string => {
  const words = code.replace(/[._]/g, ' ').trim().toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** `€129.00` from a decimal number; the number and the code for an unknown currency. */
export function formatAmount(value: string | null, currency: string | null): string {
  if (value === null) return '—';
  if (currency === null) return value;
  try {
    return numberFormat({ style: 'currency', currency }).format(Number(value));
  } catch {
    return `${value} ${currency}`;
  }
}
