import type { Destination } from '~/api/types';
import { Notice } from '~/ui/feedback/Notice';

/** Explains how corrections are sent to Mixpanel, and warns when several streams use one event name. */
export function MixpanelNote({ destination, streamCount }: { destination: Destination; streamCount: number }) {
  const { eventName, restatementMode } = destination.settings;
  if (streamCount > 1)
    return (
      <Notice tone="warn" title="Totals would count spend more than once">
        Each row of each stream becomes an event named “{String(eventName)}”. Filter reports by the property <code>stream</code>,
        or select one stream only.
      </Notice>
    );
  return (
    <Notice tone="accent" title={`Each row becomes an event named “${String(eventName)}”`}>
      {restatementMode === 'resend'
        ? 'A corrected row is sent again with the same ID. Mixpanel decides which version it shows.'
        : 'Mixpanel events cannot be changed. Corrections are sent as deltas, so totals stay exact. A removed row sends its negative.'}
    </Notice>
  );
}
