import type { ConversionTraits } from '../kit/conversion-target.js';
import { OFFLINE_MAX_AGE_DAYS } from './offline-event.js';
import { UET_MAX_AGE_DAYS } from './uet-event.js';

const refunds = 'A full refund removes the conversion. A partial refund sets its value to what remains.';

/** Campaign Management API: ApplyOfflineConversions. */
export const offlineTraits: ConversionTraits = {
  maxBatchSize: 1_000,
  identifiers: ['msclkid', 'email', 'phone'],
  maxAgeDays: () => OFFLINE_MAX_AGE_DAYS,
  rejectsWholeBatch: false,
  // An event without an error is taken. Whether it is attributed is reported for each day and goal only.
  exactness: { acceptance: 'event', processing: 'never' },
  // By click id, goal, time, e-mail hash and phone hash.
  resend: 'deduplicated',
  adjustments: { canRestate: true, canRetract: true, refunds },
  hasValidateOnly: false,
  statusPoll: null,
};

/** UET Conversions API. Its conversions are adjusted through ApplyOnlineConversionAdjustments, by transaction id. */
export const uetTraits: ConversionTraits = {
  maxBatchSize: 1_000,
  identifiers: ['msclkid', 'anonymousId', 'email', 'phone', 'externalId', 'ipAddress', 'userAgent'],
  maxAgeDays: () => UET_MAX_AGE_DAYS,
  // As requested by `buildUetRequest`.
  rejectsWholeBatch: true,
  exactness: { acceptance: 'event', processing: 'never' },
  // No deduplication of two events of the server is documented.
  resend: 'may_count_twice',
  adjustments: { canRestate: true, canRetract: true, refunds },
  hasValidateOnly: false,
  statusPoll: null,
};

/** A goal without enhanced conversions takes no hashed data of the person. */
export const offlineTraitsOf = ({ hasEnhancedConversions }: { hasEnhancedConversions?: boolean }): ConversionTraits =>
  hasEnhancedConversions ? offlineTraits : { ...offlineTraits, identifiers: ['msclkid'] };
