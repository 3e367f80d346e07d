/** What follows from an error of a row. `setup`: the goal or the account must be changed, and the row stays unsent. */
export type RowConsequence = 'drop' | 'retry' | 'setup';

export interface RowMeaning {
  consequence: RowConsequence;
  message: string;
  waitSeconds?: number;
}

const drop = (message: string): RowMeaning => ({ consequence: 'drop', message });
/** The clock of the shop is ahead, by at most the five minutes that are sent (`AGE_MARGIN_MS`). */
const soon = (message: string): RowMeaning => ({ consequence: 'retry', message, waitSeconds: 300 });

const TWO_HOURS_SECONDS = 7_200;
const internalError: RowMeaning = {
  consequence: 'retry',
  message: 'Microsoft Advertising had an internal error with this event.',
};

/** By the name of the error. Sources: guides/operation-error-codes, offlineconversion.md, offlineconversionadjustment.md. */
const meanings: Record<string, RowMeaning> = {
  InternalError: internalError,
  OfflineConversionsApplyFailed: internalError,
  OfflineConversionNotAcceptedForGoal: {
    consequence: 'retry',
    message: 'The goal was created less than two hours ago.',
    waitSeconds: TWO_HOURS_SECONDS,
  },
  OfflineConversionNameInvalid: {
    consequence: 'setup',
    message: 'Microsoft Advertising has no active goal with this name. It may have been renamed or paused.',
  },
  OfflineConversionPilotNotEnabledForCustomer: {
    consequence: 'setup',
    message: 'The Microsoft Advertising account cannot receive offline conversions.',
  },
  OfflineConversionMicrosoftClickIdNullOrEmpty: drop('The event has no Microsoft click id.'),
  OfflineConversionMicrosoftClickIdInvalid: drop('The Microsoft click id is not valid.'),
  OfflineConversionTimeInvalid: drop('The time of the event is not valid.'),
  OfflineConversionTimeNullOrEmpty: drop('The event has no time.'),
  OfflineConversionTimeOutOfWindow: drop('The event is older than Microsoft Advertising accepts.'),
  OfflineConversionValueInvalid: drop('The value is not valid.'),
  OfflineConversionCurrencyCodeInvalid: drop('The currency is not valid.'),
  FutureConversionTimeCannotBeSet: soon('The time of the event is in the future.'),
  ConversionTimeEarlierThanClickTime: drop('The event happened before the click on the ad.'),
  ClickIdDateTimeOutsideGoalConversionWindow: drop('The click on the ad is outside the conversion window of the goal.'),
  NotEligibleForEnhancedConversions: drop('The goal accepts no e-mail addresses and phone numbers.'),
  ConversionEmailAddressIsNotHashed: drop('The e-mail address is not hashed.'),
  ConversionPhoneNumberIsNotHashed: drop('The phone number is not hashed.'),
  OfflineConversionAdjustmentTimeEarlierThanConversionTime: drop('The adjustment happened before the event.'),
  OfflineConversionFutureAdjustmentTimeCannotBeSet: soon('The time of the adjustment is in the future.'),
  OfflineConversionAdjustmentTimeOutOfWindow: drop('The adjustment is too late for Microsoft Advertising.'),
  OfflineConversionAdjustmentValueNotExpected: drop('A full refund must not have a value.'),
  OfflineConversionAdjustmentValueRequired: drop('The adjustment has no value.'),
  OfflineConversionCurrencyValueRequired: drop('The adjustment has no currency.'),
  OfflineConversionRestateRetractNotSupported: drop('Conversions of this goal cannot be adjusted.'),
};

/** Names of the errors that need another consequence than `drop`, for answers without a name. */
const namesByCode: Record<number, string> = {
  0: 'InternalError',
  5606: 'OfflineConversionNameInvalid',
  5612: 'OfflineConversionsApplyFailed',
  5613: 'OfflineConversionPilotNotEnabledForCustomer',
  5614: 'FutureConversionTimeCannotBeSet',
  5615: 'OfflineConversionNotAcceptedForGoal',
  5622: 'OfflineConversionFutureAdjustmentTimeCannotBeSet',
};

const unknown = drop('Microsoft Advertising rejects the event as not valid.');

export const meaningOfRow = ({ code, name }: { code: number; name: string | null }): RowMeaning =>
  meanings[name ?? ''] ?? meanings[namesByCode[code] ?? ''] ?? unknown;
