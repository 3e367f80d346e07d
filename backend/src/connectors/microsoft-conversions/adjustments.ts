import { ineligible, type Preparation } from '../kit/conversion.js';
import { AGE_MARGIN_MS, expiresAt, isIneligible, readAmount } from '../kit/conversion-gates.js';
import type { Adjustment } from '../kit/conversion-target.js';
import { RULES_VERSION } from './identifiers.js';
import { OFFLINE_MAX_AGE_DAYS } from './offline-event.js';

/** The fields by which Microsoft finds the original of an offline conversion, together with the name of its goal. */
const keyFields = ['MicrosoftClickId', 'ConversionTime', 'HashedEmailAddress', 'HashedPhoneNumber'];

/** A row of `ApplyOfflineConversionAdjustments`. */
export function prepareOfflineAdjustment(adjustment: Adjustment, goalName: string, now: Date): Preparation {
  const { payload } = adjustment.original;
  const key = Object.fromEntries(Object.entries(payload).filter(([field]) => keyFields.includes(field)));
  return prepare(adjustment, { ...key, ConversionName: goalName }, now);
}

/** A row of `ApplyOnlineConversionAdjustments`. UET events are found by goal and transaction id. */
export function prepareOnlineAdjustment(adjustment: Adjustment, goalName: string, now: Date): Preparation {
  const { customData } = adjustment.original.payload as { customData?: { transactionId?: string } };
  return prepare(
    adjustment,
    { ConversionName: goalName, TransactionId: customData?.transactionId ?? adjustment.original.id },
    now,
  );
}

/** Restate requires value and currency. Retract must not have a value. */
function prepare(adjustment: Adjustment, key: Record<string, unknown>, now: Date): Preparation {
  const amount = readAmount(adjustment);
  if (isIneligible(amount)) return amount;
  if (!amount) return ineligible('value_missing', 'The adjustment has no value.');
  // Microsoft takes such a row and reports only later, in a file, that it changed nothing (ConversionAlreadyRetracted).
  if (adjustment.isRemoved && amount.value > 0)
    return ineligible('already_removed', 'A full refund removed the event, and Microsoft Advertising does not restore it.');
  const { originalOccurredAt, occurredAt } = adjustment;
  const end = expiresAt({ occurredAt: originalOccurredAt }, { maxAgeDays: OFFLINE_MAX_AGE_DAYS });
  if (now >= end)
    return ineligible(
      'too_old',
      `Microsoft Advertising accepts changes of an event for ${OFFLINE_MAX_AGE_DAYS} days. This event is older.`,
    );
  if (occurredAt.getTime() > now.getTime() + AGE_MARGIN_MS)
    return ineligible('in_future', 'The time of the refund is in the future. It is sent when the time has come.');
  const payload = {
    ...key,
    AdjustmentType: amount.value === 0 ? 'Retract' : 'Restate',
    AdjustmentTime: timeOf(adjustment, now).toISOString(),
    ...(amount.value > 0 && { AdjustmentValue: amount.value, AdjustmentCurrencyCode: amount.currency }),
  };
  return { state: 'eligible', id: adjustment.id, payload, rulesVersion: RULES_VERSION, expiresAt: end, notes: [] };
}

/** Microsoft rejects an adjustment from before its event or from the future. Clocks of shop and payment provider may differ. */
function timeOf({ originalOccurredAt, occurredAt }: Adjustment, now: Date): Date {
  const past = occurredAt < now ? occurredAt : now;
  return past > originalOccurredAt ? past : originalOccurredAt;
}
