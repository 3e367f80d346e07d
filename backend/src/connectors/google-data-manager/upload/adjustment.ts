import { ineligible, type Preparation } from '../../kit/conversion.js';
import { expiresAt, isIneligible, readAmount } from '../../kit/conversion-gates.js';
import type { Adjustment, ConversionOutcome } from '../../kit/conversion-target.js';
import { RULES_VERSION } from '../identifiers.js';
import type { GoogleConversionAction } from '../request.js';
import { resourceNameOf, toDateTime } from './click-conversion.js';

/** Older conversions are rejected with CONVERSION_EXPIRED. */
export const MAX_ADJUSTED_DAYS = 54;

/**
 * A row of `uploadConversionAdjustments`. Google takes a restatement only if its time is newer than that of the one before, so the time is
 * that of sending: two refunds of an order may have the same time.
 */
export function prepareUploadAdjustment(action: GoogleConversionAction, adjustment: Adjustment, now: Date): Preparation {
  const amount = readAmount(adjustment);
  if (isIneligible(amount)) return amount;
  if (!amount) return ineligible('value_missing', 'The adjustment has no value.');
  const end = expiresAt({ occurredAt: adjustment.originalOccurredAt }, { maxAgeDays: MAX_ADJUSTED_DAYS });
  if (now >= end)
    return ineligible('too_old', `Google Ads accepts changes of an event for ${MAX_ADJUSTED_DAYS} days. This event is older.`);
  const isRetraction = amount.value === 0;
  const payload = {
    conversionAction: resourceNameOf(action),
    adjustmentType: isRetraction ? 'RETRACTION' : 'RESTATEMENT',
    adjustmentDateTime: toDateTime(now),
    orderId: adjustment.original.payload['transactionId'],
    ...(!isRetraction && { restatementValue: { adjustedValue: amount.value, currencyCode: amount.currency } }),
  };
  return { state: 'eligible', id: adjustment.id, payload, rulesVersion: RULES_VERSION, expiresAt: end, notes: [] };
}

const RETRACTED = 'google_ads_upload.conversion_already_retracted';

/** Google does not restore a removed conversion: only a repeated removal changes nothing. */
export function rejectRestored(payload: Record<string, unknown>, outcome: ConversionOutcome): ConversionOutcome {
  const isRetracted = outcome.state === 'accepted' && outcome.notes.some(({ code }) => code === RETRACTED);
  if (!isRetracted || payload['adjustmentType'] === 'RETRACTION') return outcome;
  const message = 'A full refund removed the conversion, and Google does not restore it.';
  return { state: 'rejected', code: RETRACTED, message, isRetryable: false, retryAfterSeconds: null };
}
