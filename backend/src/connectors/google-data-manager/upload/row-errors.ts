/** What follows from an error of a row. `setup`: the action or the account must be changed, and the row stays unsent. */
export interface RowMeaning {
  consequence: 'taken' | 'unmatched' | 'reject' | 'retry' | 'setup';
  message: string;
  waitSeconds?: number;
  /** The one action of `setup`. */
  action?: string;
}

const reject = (message: string): RowMeaning => ({ consequence: 'reject', message });
const taken = (message: string): RowMeaning => ({ consequence: 'taken', message });
const unmatched: RowMeaning = { consequence: 'unmatched', message: 'Google found no ad click for this event.' };
const later = (message: string, waitSeconds: number): RowMeaning => ({ consequence: 'retry', message, waitSeconds });
const setup = (message: string, action: string): RowMeaning => ({ consequence: 'setup', message, action });

const SIX_HOURS_SECONDS = 21_600;
const MINUTE_SECONDS = 60;
const chooseAction = 'Choose another conversion action';
const wrongAction = setup('The conversion action does not accept these events.', chooseAction);
const acceptTerms = 'Accept the terms for customer data and enhanced conversions in Google Ads';
const noTerms = setup('The Google Ads account cannot receive hashed e-mail addresses and phone numbers yet.', acceptTerms);
const internal: RowMeaning = { consequence: 'retry', message: 'Google had an internal error with this event.' };
const repeated = later('The order is twice in one request.', MINUTE_SECONDS);

/** By `category.CODE`. Source: googleapis/google/ads/googleads/v25/errors, conversion_upload_error and conversion_adjustment_upload_error. */
export const rowMeanings: Record<string, RowMeaning> = {
  'conversionUploadError.ORDER_ID_ALREADY_IN_USE': taken('Google already has a conversion with this order id.'),
  'conversionUploadError.CLICK_CONVERSION_ALREADY_EXISTS': taken('Google already has this conversion.'),
  'conversionUploadError.CLICK_NOT_FOUND': unmatched,
  'conversionUploadError.EVENT_NOT_FOUND': unmatched,
  'conversionUploadError.TOO_RECENT_EVENT': later('The click on the ad is too recent for Google.', SIX_HOURS_SECONDS),
  'conversionUploadError.TOO_RECENT_CONVERSION_ACTION': later(
    'The conversion action is less than 6 hours old.',
    SIX_HOURS_SECONDS,
  ),
  'conversionUploadError.DUPLICATE_ORDER_ID': repeated,
  'conversionUploadError.DUPLICATE_CLICK_CONVERSION_IN_REQUEST': repeated,
  'conversionUploadError.EXPIRED_EVENT': reject('The click is too old for Google.'),
  'conversionUploadError.CONVERSION_PRECEDES_EVENT': reject('The event happened before the click on the ad.'),
  'conversionUploadError.UNPARSEABLE_GCLID': reject('The Google click id is not valid.'),
  'conversionUploadError.INVALID_CUSTOMER_FOR_CLICK': reject('The click belongs to another Google Ads account.'),
  'conversionUploadError.NO_CONVERSION_ACTION_FOUND': wrongAction,
  'conversionUploadError.INVALID_CONVERSION_ACTION_TYPE': wrongAction,
  'conversionUploadError.CUSTOMER_NOT_ACCEPTED_CUSTOMER_DATA_TERMS': noTerms,
  'conversionUploadError.CUSTOMER_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS': noTerms,
  'conversionAdjustmentUploadError.TOO_RECENT_CONVERSION': later(
    'Google changes a conversion from 24 hours after it happened.',
    SIX_HOURS_SECONDS,
  ),
  'conversionAdjustmentUploadError.TOO_RECENT_CONVERSION_ACTION': later(
    'The conversion action is less than 6 hours old.',
    SIX_HOURS_SECONDS,
  ),
  'conversionAdjustmentUploadError.RESTATEMENT_ALREADY_EXISTS': later('The order was changed a moment ago.', MINUTE_SECONDS),
  'conversionAdjustmentUploadError.MORE_RECENT_RESTATEMENT_FOUND': later('The order was changed a moment ago.', MINUTE_SECONDS),
  'conversionAdjustmentUploadError.DUPLICATE_ADJUSTMENT_IN_REQUEST': repeated,
  'conversionAdjustmentUploadError.CONVERSION_ALREADY_RETRACTED': taken('The conversion was removed before.'),
  'conversionAdjustmentUploadError.CONVERSION_NOT_FOUND': reject('Google has no conversion with this order id.'),
  'conversionAdjustmentUploadError.CONVERSION_EXPIRED': reject('The conversion is too old to be changed.'),
  'conversionAdjustmentUploadError.ADJUSTMENT_PRECEDES_CONVERSION': reject('The change is older than the conversion.'),
  'conversionAdjustmentUploadError.CANNOT_RESTATE_CONVERSION_ACTION_THAT_ALWAYS_USES_DEFAULT_CONVERSION_VALUE': reject(
    'The conversion action always uses its default value.',
  ),
  'conversionAdjustmentUploadError.NO_CONVERSION_ACTION_FOUND': wrongAction,
  'conversionAdjustmentUploadError.INVALID_CONVERSION_ACTION_TYPE': wrongAction,
  'databaseError.CONCURRENT_MODIFICATION': internal,
  'internalError.INTERNAL_ERROR': internal,
  'internalError.TRANSIENT_ERROR': internal,
  'internalError.DEADLINE_EXCEEDED': internal,
  'quotaError.RESOURCE_EXHAUSTED': internal,
  'quotaError.RESOURCE_TEMPORARILY_EXHAUSTED': internal,
};

export const meaningOfRow = (code: string): RowMeaning => rowMeanings[code] ?? reject('Google rejects the event as not valid.');
