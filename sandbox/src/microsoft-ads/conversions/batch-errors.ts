import { numberOf, strike } from '../faults.ts';
import type { Exchange } from '../../router.ts';
import type { MicrosoftAdsState } from '../state.ts';

/** Code and message by `ErrorCode`. */
const errors = {
  InvalidUetTagId: [5300, 'The UET tag id is not valid.'],
  UetTagIdIsNull: [5312, 'The UET tag id is missing.'],
  InvalidConversionGoalId: [5314, 'The conversion goal id is not valid.'],
  OfflineConversionIsNull: [5602, 'The conversion is missing.'],
  OfflineConversionMicrosoftClickIdNullOrEmpty: [5603, 'The click id is missing.'],
  OfflineConversionMicrosoftClickIdInvalid: [5604, 'The click id is not valid.'],
  OfflineConversionNameNullOrEmpty: [5605, 'The conversion name is missing.'],
  OfflineConversionNameInvalid: [5606, 'No goal has this conversion name.'],
  OfflineConversionTimeInvalid: [5607, 'The conversion time is not valid.'],
  OfflineConversionTimeNullOrEmpty: [5608, 'The conversion time is missing.'],
  OfflineConversionTimeOutOfWindow: [5609, 'The conversion time is outside the window.'],
  OfflineConversionValueInvalid: [5610, 'The conversion value is not valid.'],
  OfflineConversionCurrencyCodeInvalid: [5611, 'The currency code is not valid.'],
  OfflineConversionsApplyFailed: [5612, 'The conversion could not be processed.'],
  OfflineConversionPilotNotEnabledForCustomer: [5613, 'The customer may not use offline conversions.'],
  FutureConversionTimeCannotBeSet: [5614, 'The conversion time is in the future.'],
  OfflineConversionNotAcceptedForGoal: [5615, 'The goal was created less than two hours ago.'],
  ConversionTimeEarlierThanClickTime: [5616, 'The conversion happened before the click.'],
  ClickIdDateTimeOutsideGoalConversionWindow: [5617, 'The click is outside the window of the goal.'],
  OfflineConversionInvalidAdjustmentType: [5618, 'The adjustment type is not valid.'],
  OfflineConversionAdjustmentTimeNullOrEmpty: [5619, 'The adjustment time is missing.'],
  OfflineConversionAdjustmentTimeEarlierThanConversionTime: [5620, 'The adjustment happened before the conversion.'],
  OfflineConversionAdjustmentTimeInvalid: [5621, 'The adjustment time is not valid.'],
  OfflineConversionFutureAdjustmentTimeCannotBeSet: [5622, 'The adjustment time is in the future.'],
  OfflineConversionAdjustmentTimeOutOfWindow: [5623, 'The adjustment time is outside the window.'],
  OfflineConversionAdjustmentValueNotExpected: [5624, 'A retraction must not have a value.'],
  OfflineConversionAdjustmentValueRequired: [5625, 'A restatement must have a value.'],
  OfflineConversionCurrencyValueRequired: [5626, 'A restatement must have a currency.'],
  OfflineConversionRestateRetractNotSupported: [5627, 'Conversions of this goal cannot be adjusted.'],
  // Microsoft documents the names of these errors only. The numbers are invented.
  NotEligibleForEnhancedConversions: [5691, 'The goal does not accept email addresses and phone numbers.'],
  ConversionEmailAddressIsNotHashed: [5692, 'The email address is not hashed.'],
  ConversionPhoneNumberIsNotHashed: [5693, 'The phone number is not hashed.'],
  GoalNotEligibleForExternalAttribution: [5694, 'The goal does not use external attribution.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorName = keyof typeof errors;

export function batchError(index: number, name: ErrorName): Record<string, unknown> {
  const [code, message] = errors[name];
  return {
    Code: code,
    Details: null,
    ErrorCode: name,
    FieldPath: null,
    ForwardCompatibilityMap: null,
    Index: index,
    Message: message,
    Type: 'BatchError',
  };
}

/** Errors of all rows. They do not line up with the request: only `Index` says which row each one belongs to. */
export function partialErrors(rows: { errors: ErrorName[] }[]): Record<string, unknown>[] {
  return rows.flatMap((row, index) => row.errors.map((name) => batchError(index, name))).reverse();
}

/** The error that a fault gives to every n-th row. */
export function struckError(state: MicrosoftAdsState, exchange: Exchange, event: string): (index: number) => ErrorName[] {
  const fault = strike(state.faults, exchange, 'reject_conversions', occasionOf(exchange, event));
  if (!fault) return () => [];
  const everyNth = numberOf(fault, 'everyNth', 1);
  const asked = fault.parameters.errorCode;
  const name = typeof asked === 'string' && asked in errors ? (asked as ErrorName) : 'OfflineConversionsApplyFailed';
  return (index) => ((index + 1) % everyNth === 0 ? [name] : []);
}

export function occasionOf({ request }: Exchange, event: string): { endpoint: string; event: string; accountId: string } {
  return { endpoint: 'api', event, accountId: String(request.headers.customeraccountid ?? '') };
}
