import type { Destination } from '~/api/types';
import { Notice } from '~/ui/feedback/Notice';

/** What becomes of restated numbers there, and why two reports under one event name are one too many. */
export function MixpanelNote({ destination, streamCount }: { destination: Destination; streamCount: number }) {
  const { eventName, restatementMode } = destination.settings;
  if (streamCount > 1)
    return (
      <Notice tone="warn" title="Sums would count the same spend more than once">
        Every row of every stream becomes an event named “{String(eventName)}”. Filter reports by the property <code>stream</code>
        , or keep one stream here.
      </Notice>
    );
  return (
    <Notice tone="accent" title={`Each row becomes an event named “${String(eventName)}”`}>
      {restatementMode === 'resend'
        ? 'A restated row is sent again under the same id. Which of its versions Mixpanel shows is up to Mixpanel.'
        : 'Mixpanel cannot change an event. A restated row sends the exact difference, and a row that vanished sends its negative, so that sums are right.'}
    </Notice>
  );
}
