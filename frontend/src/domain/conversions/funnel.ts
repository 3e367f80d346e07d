import { formatCount, formatPercent, plural } from '~/lib/numbers';
import type { Counts } from './conversion-state';

export interface FunnelStage {
  key: 'received' | 'eligible' | 'accepted' | 'processed';
  label: string;
  /** Null: the platform does not report this stage. */
  events: number | null;
  /** Share of the received events, 0 to 1. */
  share: number;
  note: string;
}

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

function eligibleNote({ received, ineligible, waiting }: Counts): string {
  if (received === 0) return 'Nothing to send';
  const parts = [
    ...(ineligible > 0 ? [`${formatCount(ineligible)} not eligible`] : []),
    ...(waiting > 0 ? [`${formatCount(waiting)} waiting`] : []),
  ];
  return parts.length === 0 ? 'All of them' : parts.join(', ');
}

function processedNote({ accepted, processed, unmatched }: Counts): string {
  const waiting = accepted - processed - unmatched;
  const parts = [
    ...(unmatched > 0 ? [`${formatCount(unmatched)} without a match`] : []),
    ...(waiting > 0 ? [`${formatCount(waiting)} without a result`] : []),
  ];
  return parts.length === 0 ? 'All counted' : parts.join(', ');
}

/**
 * From the arrival of events to the decision of the platform.
 *
 * @param reportsResults whether the platform says which accepted events it counts
 */
export function funnelStages(total: Counts, reportsResults: boolean): FunnelStage[] {
  const { received, eligible, accepted, processed, unmatched, rejected } = total;
  const isReported = reportsResults && processed + unmatched > 0;
  return [
    { key: 'received', label: 'Received', events: received, share: received === 0 ? 0 : 1, note: 'Read in the last 30 days' },
    { key: 'eligible', label: 'Eligible', events: eligible, share: shareOf(eligible, received), note: eligibleNote(total) },
    {
      key: 'accepted',
      label: 'Accepted',
      events: accepted,
      share: shareOf(accepted, received),
      note: rejected > 0 ? `${formatCount(rejected)} rejected` : 'None rejected',
    },
    {
      key: 'processed',
      label: 'Processed',
      events: isReported ? processed : null,
      share: isReported ? shareOf(processed, received) : 0,
      note: isReported ? processedNote(total) : reportsResults ? 'Not reported yet' : 'Not reported',
    },
  ];
}

/** The funnel in one sentence, for screen readers. */
export function describeFunnel(total: Counts, reportsResults: boolean): string {
  if (total.received === 0) return 'No events in the last 30 days.';
  const { received, eligible, accepted } = total;
  const processed = funnelStages(total, reportsResults)[3]?.events ?? null;
  const end = processed === null ? '' : `, ${formatCount(processed)} processed`;
  return `${plural(received, 'event')} received, ${formatCount(eligible)} eligible (${formatPercent(shareOf(eligible, received))}), ${formatCount(accepted)} accepted${end}.`;
}
