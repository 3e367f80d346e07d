import type { ConversionTraits } from '../kit/conversion-target.js';
import { MAX_AGE_DAYS } from './event.js';

/** Data Manager API: limits, diagnostics and conversion adjustments. */
export const traits: ConversionTraits = {
  maxBatchSize: 2_000,
  identifiers: ['gclid', 'gbraid', 'wbraid', 'email', 'phone', 'firstName', 'lastName', 'postalCode', 'country'],
  maxAgeDays: () => MAX_AGE_DAYS,
  rejectsWholeBatch: true,
  // Google returns the later outcome of a request only as counts by reason.
  exactness: { acceptance: 'event', processing: 'request' },
  // The transaction id. A second attempt replaces value and currency, or is reported as a duplicate.
  resend: 'deduplicated',
  adjustments: {
    canRestate: true,
    canRetract: false,
    refunds:
      'A refund sets the value of the conversion to what remains. Google Ads still counts the conversion, even with the value 0.',
  },
  hasValidateOnly: true,
  // Google publishes no time by which a request is processed.
  statusPoll: { firstAfterSeconds: 1_800, giveUpAfterDays: 5 },
};
