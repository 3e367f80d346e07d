import type { Exchange } from '../../router.ts';
import type { Account } from '../accounts.ts';
import { ApiFault } from '../errors.ts';
import { isRecord } from '../report-request.ts';
import type { MicrosoftAdsState } from '../state.ts';
import { attribute, findClick, type Identifiers } from './attribution.ts';
import { struckError, type ErrorName } from './batch-errors.ts';
import { emptyRow, type ReceivedRow, type ReceivedRows } from './received-rows.ts';
import { newGoalMs, seededGoals, type UploadGoal } from './upload-goals.ts';
import { isCurrency, isSha256, minuteMs, normalizedClickId, numberOrNull, oldestMs, textOf, timeOf } from './values.ts';

const rowLimit = 1_000;

export interface Upload {
  state: MicrosoftAdsState;
  received: ReceivedRows;
  exchange: Exchange;
  account: Account;
  now: number;
  /** Every n-th row is acknowledged and lost, by a fault. */
  lostEveryNth: number | null;
}

/** A row as it was read. Rows that cannot be read fail the whole request. */
export interface Parsed extends Identifiers {
  name: string | null;
  time: number | null;
  value: number | null;
  currency: string | null;
  hasExternalAttribution: boolean;
}

/** Checks and stores the rows of ApplyOfflineConversions. */
export function applyConversions(upload: Upload, list: unknown): (ReceivedRow & { errors: ErrorName[] })[] {
  const { state, received, exchange, account, now } = upload;
  const all = readList(list);
  const parsed = all.map((row) => (isRecord(row) ? parseConversion(row) : null));
  const struck = struckError(state, exchange, 'offline_conversions');
  return parsed.map((conversion, index) => {
    const row = { ...emptyRow('offline', now, all[index]), accountId: account.id };
    const goal = goalOf(upload, conversion?.name ?? null);
    row.goalId = goal?.id ?? null;
    row.errors = [...(conversion ? errorsOf(upload, conversion, goal) : ['OfflineConversionIsNull' as const]), ...struck(index)];
    if (conversion && goal && row.errors.length === 0)
      Object.assign(row, isLost(upload, index) ? { outcome: 'lost' } : settle(upload, conversion, goal));
    received.add({ row });
    return row;
  });
}

export function isLost({ lostEveryNth }: Upload, index: number): boolean {
  return lostEveryNth !== null && (index + 1) % lostEveryNth === 0;
}

/** Lists that are empty or too long fail the whole request. */
export function readList(list: unknown): unknown[] {
  if (!Array.isArray(list) || list.length === 0)
    throw new ApiFault(400, 5600, 'OfflineConversionsNullOrEmpty', 'The list of conversions is missing or empty.');
  if (list.length > rowLimit)
    throw new ApiFault(400, 5601, 'OfflineConversionsLimitExceeded', 'The list of conversions is too long.');
  return list;
}

export function goalOf({ received, account }: Upload, name: string | null): UploadGoal | undefined {
  return goalsForUpload(received, account).find((goal) => goal.name === name);
}

export function goalsForUpload(received: ReceivedRows, account: Account): UploadGoal[] {
  return [...seededGoals(account), ...received.goals.filter(({ accountId }) => accountId === account.id).map(({ goal }) => goal)];
}

/** Repeated rows are found by these five properties. */
export function keyOf(accountId: string, { clickId, name, time, hashedEmailAddress, hashedPhoneNumber }: Parsed): string {
  const id = clickId === null ? null : normalizedClickId(clickId);
  return JSON.stringify(['offline', accountId, id, name, time, hashedEmailAddress, hashedPhoneNumber]);
}

function parseConversion(row: Record<string, unknown>): Parsed {
  return {
    clickId: textOf(row.MicrosoftClickId, 'MicrosoftClickId'),
    hashedEmailAddress: textOf(row.HashedEmailAddress, 'HashedEmailAddress'),
    hashedPhoneNumber: textOf(row.HashedPhoneNumber, 'HashedPhoneNumber'),
    name: textOf(row.ConversionName, 'ConversionName'),
    time: timeOf(row.ConversionTime, 'ConversionTime'),
    value: numberOrNull(row.ConversionValue, 'ConversionValue'),
    currency: textOf(row.ConversionCurrencyCode, 'ConversionCurrencyCode'),
    hasExternalAttribution: row.ExternalAttributionCredit != null || row.ExternalAttributionModel != null,
  };
}

/** A row can have several errors. */
function errorsOf(upload: Upload, row: Parsed, goal: UploadGoal | undefined): ErrorName[] {
  const errors = [...identifierErrors(row, goal), ...nameErrors(row, goal), ...timeErrors(row.time, upload.now)];
  if (row.value !== null && row.value < 0) errors.push('OfflineConversionValueInvalid');
  if (row.currency !== null && !isCurrency(row.currency)) errors.push('OfflineConversionCurrencyCodeInvalid');
  if (goal && row.hasExternalAttribution) errors.push('GoalNotEligibleForExternalAttribution');
  if (goal && upload.now - goal.createdAt < newGoalMs) errors.push('OfflineConversionNotAcceptedForGoal');
  if (goal && errors.length === 0) errors.push(...clickErrors(upload, row, goal));
  return errors;
}

export function identifierErrors(row: Identifiers, goal: UploadGoal | undefined): ErrorName[] {
  const errors: ErrorName[] = [];
  const { clickId, hashedEmailAddress, hashedPhoneNumber } = row;
  const hasPerson = hashedEmailAddress !== null || hashedPhoneNumber !== null;
  if (clickId === null && !hasPerson) errors.push('OfflineConversionMicrosoftClickIdNullOrEmpty');
  if (clickId !== null && normalizedClickId(clickId) === null) errors.push('OfflineConversionMicrosoftClickIdInvalid');
  if (clickId === null && hasPerson && goal && !goal.isEnhanced) errors.push('NotEligibleForEnhancedConversions');
  if (hashedEmailAddress !== null && !isSha256(hashedEmailAddress)) errors.push('ConversionEmailAddressIsNotHashed');
  if (hashedPhoneNumber !== null && !isSha256(hashedPhoneNumber)) errors.push('ConversionPhoneNumberIsNotHashed');
  return errors;
}

export function nameErrors({ name }: Pick<Parsed, 'name'>, goal: object | undefined): ErrorName[] {
  if (name === null) return ['OfflineConversionNameNullOrEmpty'];
  return goal ? [] : ['OfflineConversionNameInvalid'];
}

export function timeErrors(time: number | null, now: number): ErrorName[] {
  if (time === null) return ['OfflineConversionTimeNullOrEmpty'];
  if (Number.isNaN(time)) return ['OfflineConversionTimeInvalid'];
  if (time > now) return ['FutureConversionTimeCannotBeSet'];
  return time < now - oldestMs ? ['OfflineConversionTimeOutOfWindow'] : [];
}

/** A click that is named and known is compared at once; clicks of a person only later, for the report. */
function clickErrors({ received, account, now }: Upload, { clickId, time }: Parsed, goal: UploadGoal): ErrorName[] {
  const click = clickId === null ? undefined : findClick(received, clickId, now);
  if (click?.accountId !== account.id || time === null) return [];
  if (click.clickedAt > time) return ['ConversionTimeEarlierThanClickTime'];
  return time - click.clickedAt > goal.windowMinutes * minuteMs ? ['ClickIdDateTimeOutsideGoalConversionWindow'] : [];
}

/** The outcome of an accepted row. Of equal rows the first counts, and the others are ignored without an error. */
function settle({ received, account, now }: Upload, row: Parsed, goal: UploadGoal): Partial<ReceivedRow> {
  const key = keyOf(account.id, row);
  if (received.firstOf(key)) return { outcome: 'duplicate', reason: 'DuplicateConversionKey', key };
  const found = attribute(received, account.id, goal, row, { time: row.time ?? now, now });
  if ('reason' in found) return { outcome: 'unattributed', reason: found.reason, key };
  const { id: clickId, clickedAt } = found.click;
  const isCounted = goal.countType === 'All' || !received.hasCounted(goal.id, clickId);
  return { outcome: 'attributed', key, clickId, clickedAt, isCounted, ...booked(account, goal, row) };
}

/** A sent value is used where the goal tracks revenue. A missing one is silently replaced by the goal’s own. */
function booked(account: Account, { revenue }: UploadGoal, { value, currency }: Parsed): Pick<ReceivedRow, 'value' | 'currency'> {
  if (revenue.type === 'NoValue') return { value: null, currency: null };
  return { value: value ?? revenue.value, currency: currency ?? account.currencyCode };
}
