import type { ConversionValidation } from '~/api/types';
import { formatCount, plural } from '~/lib/numbers';
import { Notice } from '~/ui/feedback/Notice';

/** How many events the platform accepts, and why it rejects the others. */
export const ValidationNotice = ({ validation: { events, accepted, rejections } }: { validation: ConversionValidation }) => (
  <Notice
    tone={rejections.length > 0 ? 'warn' : 'accent'}
    title={`${formatCount(accepted)} of ${plural(events, 'event')} accepted`}
    isAlert
  >
    {rejections.map(({ message }) => message).join(' ')}
  </Notice>
);
