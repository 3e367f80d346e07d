import { personFields } from '../kit/conversion.js';
import type { ConversionTraits } from '../kit/conversion-target.js';
import { maxAgeDays } from './event.js';

/** Conversions API: "Using the API", "Deduplicate pixel and server events". */
export const traits: ConversionTraits = {
  maxBatchSize: 1_000,
  identifiers: [...personFields, 'fbclid', 'fbc', 'fbp', 'ipAddress', 'userAgent'],
  maxAgeDays,
  rejectsWholeBatch: true,
  exactness: { acceptance: 'event', processing: 'never' },
  // Meta promises to deduplicate an event of the browser and one of the server, but not two events of the server.
  resend: 'may_count_twice',
  adjustments: {
    canRestate: false,
    canRetract: false,
    refunds: 'Meta has no call to change or delete an event, so refunds are not sent.',
  },
  // Events with a test code are counted.
  hasValidateOnly: false,
  statusPoll: null,
};
