import { ineligible, type Preparation } from '../kit/conversion.js';
import { isIneligible, readAmount } from '../kit/conversion-gates.js';
import type { Adjustment } from '../kit/conversion-target.js';
import { expiresAt } from '../kit/conversion-gates.js';
import { limits } from './event.js';
import { RULES_VERSION } from './identifiers.js';

/**
 * The original event with the new value. Google recognizes it by its transaction id, replaces value and currency, and ignores
 * everything else, although required fields must be there (Data Manager API, "Conversion adjustments").
 */
export function prepareGoogleAdjustment(adjustment: Adjustment, now: Date): Preparation {
  const amount = readAmount(adjustment);
  if (isIneligible(amount)) return amount;
  if (!amount) return ineligible('value_missing', 'The adjustment has no value.');
  const end = expiresAt({ occurredAt: adjustment.originalOccurredAt }, limits);
  if (now >= end)
    return ineligible('too_old', `Google Ads accepts changes of an event for ${limits.maxAgeDays} days. This event is older.`);
  return {
    state: 'eligible',
    id: adjustment.id,
    payload: { ...adjustment.original.payload, conversionValue: amount.value, currency: amount.currency },
    rulesVersion: RULES_VERSION,
    expiresAt: end,
    notes:
      amount.value === 0
        ? [{ code: 'still_counted', message: 'The value becomes 0. Google Ads still counts the conversion.' }]
        : [],
  };
}
