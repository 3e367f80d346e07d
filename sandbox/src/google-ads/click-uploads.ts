import type { Account } from './accounts.ts';
import { clickKinds, type Click } from './clicks.ts';
import type { ConversionAction } from './conversion-actions.ts';
import type { ConversionKey, ConversionStore } from './conversion-store.ts';
import { matchClick } from './match-click.ts';
import { isRowError, rowError, type RowError } from './partial-failure.ts';
import { numberOf, readAction, readDateTime, readHashes, textOf, type Row } from './upload-fields.ts';
import { uploadErrors } from './upload-summaries.ts';

const category = 'conversionUploadError';
const currencies = new Set(Intl.supportedValuesOf('currency'));

export interface UploadContext {
  store: ConversionStore;
  account: Account;
  now: number;
  requestId: string;
  isValidateOnly: boolean;
  /** Keys of the rows before, to find duplicates within the request. */
  seen: Set<string>;
}

/** Records one conversion. Returns its result, or the first error: Google reports one error per row. */
export function uploadClick(context: UploadContext, row: Row): RowError | Record<string, unknown> {
  const { account, now, store } = context;
  const action = readAction(row, account.id, category);
  if (isError(action)) return action;
  if (action.type !== 'UPLOAD_CLICKS') return rowError(category, 'INVALID_CONVERSION_ACTION_TYPE', 'conversion_action');
  const at = readDateTime(row, 'conversionDateTime', 'conversion_date_time', now);
  if (typeof at !== 'number') return at;
  const click = findClick(context, row, action, at);
  if (isError(click)) return click;
  const currency = textOf(row, 'currencyCode') ?? action.currencyCode;
  if (!currencies.has(currency)) return rowError('currencyCodeError', 'UNSUPPORTED', 'currency_code');
  const transactionId = textOf(row, 'orderId') ?? null;
  const key = { actionId: action.id, transactionId, clickId: click.id, eventTime: new Date(at).toISOString() };
  const duplicate = duplicateProblem(context, key);
  if (duplicate) return duplicate;
  const sent = numberOf(row.conversionValue);
  const value = sent === undefined || action.alwaysUsesDefault ? action.defaultValue : sent;
  if (!context.isValidateOnly)
    store.put({
      ...key,
      customerId: account.id,
      client: 'GOOGLE_ADS_API',
      value,
      currency,
      count: 1,
      hasUserData: Array.isArray(row.userIdentifiers),
      isRetracted: false,
      versions: [{ at: new Date(now).toISOString(), requestId: context.requestId, value, currency }],
      adjustedAt: null,
    });
  return resultOf(row);
}

function resultOf(row: Row): Record<string, unknown> {
  const names = [...clickKinds, 'conversionAction', 'conversionDateTime', 'userIdentifiers'];
  return Object.fromEntries(names.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]));
}

function findClick({ account, now }: UploadContext, row: Row, action: ConversionAction, eventAt: number): Click | RowError {
  const [gclid, gbraid, wbraid] = clickKinds.map((kind) => textOf(row, kind));
  if (gbraid && wbraid) return rowError(category, 'GBRAID_WBRAID_BOTH_SET', 'gbraid');
  const hashes = readHashes(row, category);
  if (isError(hashes)) return hashes;
  if (hashes.length > 0 && !account.hasAcceptedCustomerDataTerms)
    return rowError(category, 'CUSTOMER_NOT_ACCEPTED_CUSTOMER_DATA_TERMS', 'user_identifiers');
  if (hashes.length > 0 && !account.hasEnhancedConversionsForLeads)
    return rowError(category, 'CUSTOMER_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS', 'user_identifiers');
  const hasClickId = Boolean(gclid ?? gbraid ?? wbraid);
  if (!hasClickId && hashes.length === 0) return rowError('fieldError', 'REQUIRED', 'gclid');
  const click = matchClick({ clickIds: { gclid, gbraid, wbraid }, hashes, eventAt }, action, now);
  if (typeof click !== 'string') return click;
  // CLICK_NOT_FOUND is about user data only; an unknown click id has another code.
  const isUnknownId = click === 'CLICK_NOT_FOUND' && hasClickId && hashes.length === 0;
  return rowError(category, isUnknownId ? 'EVENT_NOT_FOUND' : (uploadErrors[click] ?? 'UNKNOWN'));
}

function duplicateProblem({ store, seen }: UploadContext, key: ConversionKey): RowError | null {
  const { transactionId, actionId } = key;
  const hasOrderId = transactionId !== null;
  const text = hasOrderId ? `${actionId} ${transactionId}` : `${actionId} ${key.clickId} ${key.eventTime}`;
  const isRepeated = seen.has(text);
  seen.add(text);
  const field = hasOrderId ? 'order_id' : undefined;
  if (isRepeated) return rowError(category, hasOrderId ? 'DUPLICATE_ORDER_ID' : 'DUPLICATE_CLICK_CONVERSION_IN_REQUEST', field);
  if (!store.find(key)) return null;
  return rowError(category, hasOrderId ? 'ORDER_ID_ALREADY_IN_USE' : 'CLICK_CONVERSION_ALREADY_EXISTS', field);
}

function isError(value: object): value is RowError {
  return isRowError(value as RowError);
}
