import type { UploadContext } from './click-uploads.ts';
import { readClick } from './clicks.ts';
import type { ConversionAction } from './conversion-actions.ts';
import type { StoredConversion } from './conversion-store.ts';
import { rowError, type RowError } from './partial-failure.ts';
import { numberOf, readAction, readDateTime, readHashes, textOf, type Row } from './upload-fields.ts';

const category = 'conversionAdjustmentUploadError';
const hourMs = 3_600_000;
const minimumAgeMs = 24 * hourMs;
const maximumAgeMs = 54 * 24 * hourMs;

const types = ['RESTATEMENT', 'RETRACTION', 'ENHANCEMENT'] as const;
type AdjustmentType = (typeof types)[number];

/** Adjusts one conversion. Returns its result, or the first error of the row. */
export function uploadAdjustment(context: UploadContext, row: Row): RowError | Record<string, unknown> {
  const type = types.find((one) => one === row.adjustmentType);
  if (!type) return rowError('fieldError', row.adjustmentType === undefined ? 'REQUIRED' : 'INVALID_VALUE', 'adjustment_type');
  const action = readAction(row, context.account.id, category);
  if (!('ownerId' in action)) return action;
  const at = type === 'ENHANCEMENT' ? context.now : readDateTime(row, 'adjustmentDateTime', 'adjustment_date_time', context.now);
  if (typeof at !== 'number') return at;
  const conversion = findConversion(context, row, action, type);
  if ('category' in conversion) return conversion;
  const problem = timeProblem(conversion, at, context.now) ?? repeatProblem(context, conversion, at, type);
  if (problem) return problem;
  const adjusted = adjustedConversion(context, row, action, conversion, type, at);
  if ('category' in adjusted) return adjusted;
  if (!context.isValidateOnly) context.store.put(adjusted);
  const names = ['gclidDateTimePair', 'orderId', 'conversionAction', 'adjustmentDateTime', 'adjustmentType'];
  return Object.fromEntries(names.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]));
}

function findConversion(
  { store, now }: UploadContext,
  row: Row,
  action: ConversionAction,
  type: AdjustmentType,
): StoredConversion | RowError {
  const allowed = type === 'ENHANCEMENT' ? ['WEBPAGE'] : ['WEBPAGE', 'UPLOAD_CLICKS'];
  if (!allowed.includes(action.type)) return rowError(category, 'INVALID_CONVERSION_ACTION_TYPE', 'conversion_action');
  const orderId = textOf(row, 'orderId');
  const pair = row.gclidDateTimePair as Row | undefined;
  if (orderId && pair && type !== 'ENHANCEMENT') return rowError(category, 'GCLID_DATE_TIME_PAIR_AND_ORDER_ID_BOTH_SET');
  if (!orderId && action.type === 'WEBPAGE') return rowError(category, 'MISSING_ORDER_ID_FOR_WEBPAGE', 'order_id');
  if (!orderId && !pair) return rowError('fieldError', 'REQUIRED', 'order_id');
  const key = { actionId: action.id, transactionId: orderId ?? null, clickId: null, eventTime: '' };
  if (orderId) return store.find(key) ?? rowError(category, 'CONVERSION_NOT_FOUND');
  const at = readDateTime(pair ?? {}, 'conversionDateTime', 'gclid_date_time_pair', now);
  if (typeof at !== 'number') return at;
  const clickId = textOf(pair ?? {}, 'gclid') ?? '';
  const isKnownClick = typeof readClick('gclid', clickId) !== 'string';
  const found = isKnownClick ? store.find({ ...key, clickId, eventTime: new Date(at).toISOString() }) : undefined;
  return found ?? rowError(category, 'CONVERSION_NOT_FOUND');
}

function timeProblem(conversion: StoredConversion, at: number, now: number): RowError | null {
  const convertedAt = Date.parse(conversion.eventTime);
  if (conversion.isRetracted) return rowError(category, 'CONVERSION_ALREADY_RETRACTED');
  if (now - convertedAt > maximumAgeMs) return rowError(category, 'CONVERSION_EXPIRED');
  if (now - convertedAt < minimumAgeMs) return rowError(category, 'TOO_RECENT_CONVERSION');
  return at < convertedAt ? rowError(category, 'ADJUSTMENT_PRECEDES_CONVERSION', 'adjustment_date_time') : null;
}

/** Each restatement must have a newer time than the one before. */
function repeatProblem({ seen }: UploadContext, conversion: StoredConversion, at: number, type: AdjustmentType): RowError | null {
  const text = `${type} ${conversion.actionId} ${conversion.transactionId ?? conversion.clickId} ${at}`;
  const isRepeated = seen.has(text);
  seen.add(text);
  if (isRepeated)
    return rowError(category, type === 'ENHANCEMENT' ? 'DUPLICATE_ENHANCEMENT_IN_REQUEST' : 'DUPLICATE_ADJUSTMENT_IN_REQUEST');
  if (type !== 'RESTATEMENT' || conversion.adjustedAt === null) return null;
  const last = Date.parse(conversion.adjustedAt);
  if (at === last) return rowError(category, 'RESTATEMENT_ALREADY_EXISTS', 'adjustment_date_time');
  return at < last ? rowError(category, 'MORE_RECENT_RESTATEMENT_FOUND', 'adjustment_date_time') : null;
}

function adjustedConversion(
  { now, requestId }: UploadContext,
  row: Row,
  action: ConversionAction,
  conversion: StoredConversion,
  type: AdjustmentType,
  at: number,
): StoredConversion | RowError {
  const restatement = row.restatementValue as Row | undefined;
  if (type === 'RETRACTION')
    return restatement
      ? rowError('fieldError', 'VALUE_MUST_BE_UNSET', 'restatement_value')
      : { ...conversion, isRetracted: true, adjustedAt: new Date(at).toISOString() };
  if (type === 'ENHANCEMENT') {
    const hashes = readHashes(row, category);
    if (!Array.isArray(hashes)) return hashes;
    if (hashes.length === 0) return rowError('fieldError', 'REQUIRED', 'user_identifiers');
    return conversion.hasUserData ? rowError(category, 'CONVERSION_ALREADY_ENHANCED') : { ...conversion, hasUserData: true };
  }
  if (action.alwaysUsesDefault)
    return rowError(category, 'CANNOT_RESTATE_CONVERSION_ACTION_THAT_ALWAYS_USES_DEFAULT_CONVERSION_VALUE');
  // The new total, not the difference.
  const value = numberOf(restatement?.adjustedValue);
  if (value === undefined) return rowError('fieldError', 'REQUIRED', 'restatement_value');
  const currency = textOf(restatement ?? {}, 'currencyCode') ?? action.currencyCode;
  const version = { at: new Date(now).toISOString(), requestId, value, currency };
  const adjustedAt = new Date(at).toISOString();
  return { ...conversion, value, currency, adjustedAt, versions: [...conversion.versions, version] };
}
