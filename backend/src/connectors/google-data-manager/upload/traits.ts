import type { ConversionTraits } from '../../kit/conversion-target.js';
import { MAX_AGE_DAYS } from '../event.js';
import { MAX_ADJUSTED_DAYS } from './adjustment.js';

/** Google Ads API, `conversion_upload_service.proto` and `conversion_adjustment_upload_service.proto`. */
export const uploadTraits: ConversionTraits = {
  maxBatchSize: 2_000,
  identifiers: ['gclid', 'gbraid', 'wbraid', 'email', 'phone'],
  maxAgeDays: () => MAX_AGE_DAYS,
  rejectsWholeBatch: false,
  // Each row is matched with its click before the answer. What Google counts later is known only as sums of the action.
  exactness: { acceptance: 'event', processing: 'never' },
  // By the order id: a second attempt is answered with ORDER_ID_ALREADY_IN_USE.
  resend: 'deduplicated',
  adjustments: {
    canRestate: true,
    canRetract: true,
    refunds: `A refund lowers the value of the conversion, and a full refund removes it. Google Ads accepts both from 24 hours to ${MAX_ADJUSTED_DAYS} days after the event.`,
  },
  hasValidateOnly: true,
  statusPoll: null,
};
