import { isRecord } from '../report-request.ts';
import { isCurrency, isSha256 } from './values.ts';

type Json = Record<string, unknown>;

/** A problem of a UET event. A warning only costs the property, an error the event. */
export interface Problem {
  index: number;
  propertyName: string;
  attemptedValue?: unknown;
  errorMessage: string;
  errorCode: string;
  isWarning: boolean;
}

const oldestSeconds = 7 * 86_400;
const identifiers = ['anonymousId', 'externalId', 'em', 'ph', 'msclkid', 'idfa', 'gaid'];
const pageTypes = ['cart', 'category', 'home', 'other', 'product', 'purchase', 'searchresults'];
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

type Report = (path: string, value: unknown, errorCode: string, errorMessage: string, isWarning: boolean) => void;

/** Removes every property with a warning from the event. */
export function checkUetEvent(event: Json, index: number, nowSeconds: number): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, value, errorCode, errorMessage, isWarning) => {
    const attempted = typeof value === 'string' || typeof value === 'number' ? { attemptedValue: value } : {};
    problems.push({ index, propertyName: `data[${index}].${path}`, ...attempted, errorMessage, errorCode, isWarning });
  };
  checkRequired(event, nowSeconds, report);
  checkOptional(event, report);
  for (const { propertyName, isWarning } of problems)
    if (isWarning) removeProperty(event, propertyName.slice(`data[${index}].`.length));
  return problems;
}

function checkRequired(event: Json, nowSeconds: number, report: Report): void {
  const { eventType, eventTime, eventSourceUrl, userData } = event;
  if (eventType !== 'pageLoad' && eventType !== 'custom')
    report('eventType', eventType, 'InvalidEnumValue', "'eventType' must be one of the following: pageLoad, custom.", false);
  if (eventTime === undefined || eventTime === null) report('eventTime', null, 'Empty', "'eventTime' must not be empty.", false);
  else if (!isRecentTime(eventTime, nowSeconds))
    report('eventTime', eventTime, 'InvalidEventTime', "'eventTime' must be a time in seconds within the last 7 days.", false);
  if (eventType === 'pageLoad' && isEmpty(eventSourceUrl))
    report('eventSourceUrl', null, 'Empty', "'eventSourceUrl' must not be empty.", false);
  else if (!isEmpty(eventSourceUrl) && !isUrl(eventSourceUrl))
    report('eventSourceUrl', eventSourceUrl, 'InvalidUrl', "'eventSourceUrl' must be a valid URL.", eventType !== 'pageLoad');
  // Identifiers count as they were sent: one that is removed by a warning is enough here.
  const hasIdentifier = isRecord(userData) && identifiers.some((name) => !isEmpty(userData[name]));
  if (!hasIdentifier) report('userData', null, 'Empty', "'userData' must contain an identifier.", false);
}

function checkOptional(event: Json, report: Report): void {
  const { adStorageConsent, pageLoadId, referrerUrl } = event;
  const warn = (path: string, value: unknown, isValid: (value: unknown) => boolean, code: string, rule: string): void => {
    const name = path.split('.').at(-1) ?? path;
    if (!isEmpty(value) && !isValid(value)) report(path, value, code, `'${name}' must be ${rule}.`, true);
  };
  warn('adStorageConsent', adStorageConsent, (value) => value === 'G' || value === 'D', 'InvalidEnumValue', 'G or D');
  warn('pageLoadId', pageLoadId, isUuid, 'InvalidUuid', 'a valid UUID');
  warn('referrerUrl', referrerUrl, isUrl, 'InvalidUrl', 'a valid URL');
  const user = isRecord(event.userData) ? event.userData : {};
  for (const name of ['em', 'ph']) warn(`userData.${name}`, user[name], isHash, 'InvalidSha256', 'a valid SHA256 string');
  for (const name of ['msclkid', 'idfa', 'gaid']) warn(`userData.${name}`, user[name], isUuid, 'InvalidUuid', 'a valid UUID');
  const custom = isRecord(event.customData) ? event.customData : {};
  const isIsoCode = (value: unknown): boolean => typeof value === 'string' && isCurrency(value);
  warn('customData.currency', custom.currency, isIsoCode, 'InvalidCurrency', 'a valid currency code');
  for (const name of ['value', 'eventValue', 'ecommTotalValue'])
    warn(`customData.${name}`, custom[name], Number.isFinite, 'InvalidNumber', 'a number');
  const isPageType = (value: unknown): boolean => pageTypes.includes(value as string);
  warn('customData.pageType', custom.pageType, isPageType, 'InvalidEnumValue', `one of the following: ${pageTypes.join(', ')}`);
  const items: unknown[] = Array.isArray(custom.items) ? custom.items : [];
  for (const [place, item] of items.entries())
    if (isRecord(item) && isEmpty(item.price))
      report(`customData.items[${place}].price`, null, 'Empty', "'price' must not be empty.", true);
}

/** `userData.em`. Parts of lists, such as the price of an item, are missing anyway. */
function removeProperty(event: Json, path: string): void {
  const [first = '', second] = path.split('.');
  if (path.includes('[')) return;
  if (second === undefined) Reflect.deleteProperty(event, first);
  else if (isRecord(event[first])) Reflect.deleteProperty(event[first], second);
}

function isRecentTime(value: unknown, nowSeconds: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value <= nowSeconds && value >= nowSeconds - oldestSeconds;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value);
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && uuid.test(value);
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && isSha256(value);
}
