import { isRecord } from '../report-request.ts';
import { goalsOf } from '../goals.ts';
import { struckError, type ErrorName } from './batch-errors.ts';
import {
  goalOf,
  identifierErrors,
  isLost,
  keyOf,
  nameErrors,
  readList,
  timeErrors,
  type Parsed,
  type Upload,
} from './offline-conversions.ts';
import { emptyRow, type ReceivedRow } from './received-rows.ts';
import { isCurrency, numberOrNull, oldestMs, textOf, timeOf } from './values.ts';

interface Adjustment {
  type: string | null;
  time: number | null;
  value: number | null;
  currency: string | null;
}

type Row = ReceivedRow & { errors: ErrorName[] };

/** Checks and stores the rows of ApplyOfflineConversionAdjustments. The original is found by the five properties of its key. */
export function adjustOffline(upload: Upload, list: unknown): Row[] {
  const { state, exchange } = upload;
  const struck = struckError(state, exchange, 'offline_adjustments');
  return applyEach(upload, 'offlineAdjustment', list, (sent, index) => {
    const adjustment = parseAdjustment(sent);
    const original: Parsed = {
      clickId: textOf(sent.MicrosoftClickId, 'MicrosoftClickId'),
      hashedEmailAddress: textOf(sent.HashedEmailAddress, 'HashedEmailAddress'),
      hashedPhoneNumber: textOf(sent.HashedPhoneNumber, 'HashedPhoneNumber'),
      name: textOf(sent.ConversionName, 'ConversionName'),
      time: timeOf(sent.ConversionTime, 'ConversionTime'),
      value: null,
      currency: null,
      hasExternalAttribution: false,
    };
    const goal = goalOf(upload, original.name);
    const errors = [
      ...identifierErrors(original, goal),
      ...nameErrors(original, goal),
      ...timeErrors(original.time, upload.now),
      ...adjustmentErrors(adjustment, original.time, upload.now),
      ...(goal && !goal.isAdjustable ? (['OfflineConversionRestateRetractNotSupported'] as const) : []),
      ...struck(index),
    ];
    return { adjustment, errors, goalId: goal?.id ?? null, key: keyOf(upload.account.id, original) };
  });
}

/** Checks and stores the rows of ApplyOnlineConversionAdjustments. The original is a UET event with this transaction id. */
export function adjustOnline(upload: Upload, list: unknown): Row[] {
  const { state, exchange, account } = upload;
  const struck = struckError(state, exchange, 'online_adjustments');
  return applyEach(upload, 'onlineAdjustment', list, (sent, index) => {
    const adjustment = parseAdjustment(sent);
    const name = textOf(sent.ConversionName, 'ConversionName');
    const goal = goalsOf(account).find((one) => one.name === name && one.status === 'Active');
    const errors = [...nameErrors({ name }, goal), ...adjustmentErrors(adjustment, null, upload.now), ...struck(index)];
    const transactionId = textOf(sent.TransactionId, 'TransactionId');
    return { adjustment, errors, goalId: goal?.id ?? null, key: transactionKey(account.id.slice(1), transactionId ?? '') };
  });
}

export function transactionKey(tagId: string, transactionId: string): string {
  return JSON.stringify(['transaction', tagId, transactionId]);
}

interface Checked {
  adjustment: Adjustment;
  errors: ErrorName[];
  goalId: string | null;
  key: string;
}

function applyEach(
  upload: Upload,
  kind: ReceivedRow['kind'],
  list: unknown,
  check: (sent: Record<string, unknown>, index: number) => Checked,
): Row[] {
  const { received, account, now } = upload;
  const all = readList(list);
  // All rows are read before the first is stored, because one that cannot be read fails the whole request.
  const checked = all.map((sent, index) => (isRecord(sent) ? check(sent, index) : null));
  return checked.map((one, index) => {
    const row: Row = { ...emptyRow(kind, now, all[index]), accountId: account.id };
    if (one) Object.assign(row, { errors: one.errors, goalId: one.goalId, key: one.key });
    else row.errors = ['OfflineConversionIsNull'];
    if (one && row.errors.length === 0) Object.assign(row, isLost(upload, index) ? { outcome: 'lost' } : settle(upload, one));
    received.add({ row });
    return row;
  });
}

/** Only the report says that an accepted adjustment had no effect. */
function settle({ received, now }: Upload, { adjustment, key }: Checked): Partial<ReceivedRow> {
  const original = received.firstOf(key);
  if (original?.outcome !== 'attributed') return { outcome: 'unattributed', reason: 'AdjustmentOriginalNotFound' };
  if (original.isRetracted) return { outcome: 'unattributed', reason: 'ConversionAlreadyRetracted' };
  if ((original.clickedAt ?? now) < now - oldestMs) return { outcome: 'unattributed', reason: 'HistoricalClickDataExpired' };
  if (adjustment.type === 'Retract') return { outcome: 'attributed', isRetracted: true };
  return { outcome: 'attributed', value: adjustment.value, currency: adjustment.currency };
}

function parseAdjustment(sent: Record<string, unknown>): Adjustment {
  return {
    type: textOf(sent.AdjustmentType, 'AdjustmentType'),
    time: timeOf(sent.AdjustmentTime, 'AdjustmentTime'),
    value: numberOrNull(sent.AdjustmentValue, 'AdjustmentValue'),
    currency: textOf(sent.AdjustmentCurrencyCode, 'AdjustmentCurrencyCode'),
  };
}

function adjustmentErrors({ type, time, value, currency }: Adjustment, conversionTime: number | null, now: number): ErrorName[] {
  const errors: ErrorName[] = [];
  if (type !== 'Restate' && type !== 'Retract') errors.push('OfflineConversionInvalidAdjustmentType');
  if (time === null) errors.push('OfflineConversionAdjustmentTimeNullOrEmpty');
  else if (Number.isNaN(time)) errors.push('OfflineConversionAdjustmentTimeInvalid');
  else if (time > now) errors.push('OfflineConversionFutureAdjustmentTimeCannotBeSet');
  else if (time < now - oldestMs) errors.push('OfflineConversionAdjustmentTimeOutOfWindow');
  else if (time < (conversionTime ?? 0)) errors.push('OfflineConversionAdjustmentTimeEarlierThanConversionTime');
  if (type === 'Retract' && value !== null) errors.push('OfflineConversionAdjustmentValueNotExpected');
  if (type === 'Restate' && value === null) errors.push('OfflineConversionAdjustmentValueRequired');
  if (type === 'Restate' && value !== null && value < 0) errors.push('OfflineConversionValueInvalid');
  if (type === 'Restate' && currency === null) errors.push('OfflineConversionCurrencyValueRequired');
  if (currency !== null && !isCurrency(currency)) errors.push('OfflineConversionCurrencyCodeInvalid');
  return errors;
}
