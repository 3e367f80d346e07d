import {
  ineligible,
  type ConsentStatus,
  type ConversionEvent,
  type ConversionPolicy,
  type Ineligible,
  type Note,
} from './conversion.js';

const DAY_MS = 86_400_000;
/** Clocks differ, and a request takes time: an event must not become too old on its way. */
export const AGE_MARGIN_MS = 300_000;

/** Which consent a platform can respect. */
export interface ConsentSupport {
  /** `Google Ads`. */
  service: string;
  /** Whether a request can exclude an event from personalized ads. */
  canRestrictPersonalization: boolean;
}

/** Null: the event may be sent. */
export function checkConsent(event: ConversionEvent, policy: ConversionPolicy, support: ConsentSupport): Ineligible | null {
  const { adUserData, adPersonalization } = event.consent;
  if (adUserData === 'denied')
    return ineligible('consent_denied', 'The person has not consented to sending data to ad platforms.');
  if (adUserData === 'unknown' && policy.onUnknownConsent === 'block')
    return ineligible('consent_unknown', 'It is not known whether the person consented to sending data to ad platforms.');
  if (support.canRestrictPersonalization || allowsPersonalization(adPersonalization, policy)) return null;
  return ineligible(
    'personalization_denied',
    `The person has not consented to personalized ads, and ${support.service} cannot use an event for measurement only.`,
  );
}

/** Unknown consent counts as given only if the conversion sends such events. */
export function allowsPersonalization(status: ConsentStatus, policy: ConversionPolicy): boolean {
  return status === 'granted' || (status === 'unknown' && policy.onUnknownConsent === 'send');
}

export interface AgeLimits {
  service: string;
  /** Oldest event that the platform accepts. */
  maxAgeDays: number;
  /** Longest time between the click and the event; null: the platform publishes no limit. */
  clickWindowDays: number | null;
  /** Whether the platform rejects events in the future. */
  rejectsFuture: boolean;
}

/** Null: the platform accepts an event of this time. */
export function checkTime(event: ConversionEvent, now: Date, limits: AgeLimits): Ineligible | null {
  const { occurredAt, clickedAt } = event;
  const { service, maxAgeDays, clickWindowDays } = limits;
  if (now >= expiresAt(event, limits))
    return ineligible('too_old', `${service} accepts events for ${days(maxAgeDays)}. This event is older.`);
  if (limits.rejectsFuture && occurredAt.getTime() > now.getTime() + AGE_MARGIN_MS)
    return ineligible('in_future', 'The time of the event is in the future.');
  if (!clickedAt || clickWindowDays === null) return null;
  if (clickedAt > occurredAt) return ineligible('before_click', 'The event happened before the click on the ad.');
  if (occurredAt.getTime() - clickedAt.getTime() <= clickWindowDays * DAY_MS) return null;
  return ineligible(
    'click_too_old',
    `The click on the ad was more than ${days(clickWindowDays)} before the event. ${service} does not count such events.`,
  );
}

/** From this time on, the platform may reject the event as too old. */
export function expiresAt(
  { occurredAt }: Pick<ConversionEvent, 'occurredAt'>,
  { maxAgeDays }: Pick<AgeLimits, 'maxAgeDays'>,
): Date {
  return new Date(occurredAt.getTime() + maxAgeDays * DAY_MS - AGE_MARGIN_MS);
}

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

export function checkId(event: ConversionEvent): Ineligible | null {
  if (event.id.trim() !== '') return null;
  return ineligible('id_missing', 'The field that identifies the event is empty, so a repeated event could not be recognized.');
}

/** An amount as the platforms expect it: in currency units, with the currency in uppercase. */
export interface Amount {
  value: number;
  currency: string;
}

/** Decimal digits by currency (ISO 4217); all other currencies have two. */
const decimalsByCurrency: Record<string, number> = {
  ...decimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'),
  ...decimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
};

function decimals(count: number, currencies: string): Record<string, number> {
  return Object.fromEntries(currencies.split(' ').map((currency) => [currency, count]));
}

const knownCurrencies = new Set(Intl.supportedValuesOf('currency'));

/** The longest value whose cents a JavaScript number holds exactly. */
const amountPattern = /^(-?)(\d{1,12})(?:\.(\d{1,30}))?$/;

/**
 * Reads value and currency. Digits beyond the decimals of the currency are rounded, because they often come from calculations with
 * binary fractions. Currencies without decimals are an exception: a fraction there means that unit or currency is wrong.
 */
export function readAmount(event: Pick<ConversionEvent, 'value' | 'currency'>): Amount | Ineligible | null {
  const text = event.value?.trim() ?? '';
  if (text === '') return null;
  const [, sign, whole = '', fraction = ''] = amountPattern.exec(text) ?? [];
  if (sign === undefined) return ineligible('value_malformed', 'The value is not a decimal number such as 12.50.');
  if (sign === '-')
    return ineligible('value_negative', 'The value is negative. A refund adjusts its order and is not a conversion.');
  const currency = event.currency?.trim().toUpperCase() ?? '';
  if (currency === '') return ineligible('currency_missing', 'The event has a value but no currency.');
  if (!knownCurrencies.has(currency))
    return ineligible('currency_unknown', 'The currency is not a code of ISO 4217 such as EUR.');
  const digits = decimalsByCurrency[currency] ?? 2;
  if (digits === 0 && /[1-9]/.test(fraction))
    return ineligible('value_has_fraction', `${currency} has no decimals, but the value has a fraction.`);
  return { value: round(whole, fraction, digits), currency };
}

/** Rounds half up in decimal digits: `Number.toFixed` would round 1.005 to 1.00. */
function round(whole: string, fraction: string, digits: number): number {
  const units = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0')) + (Number(fraction[digits] ?? 0) >= 5 ? 1n : 0n);
  const text = units.toString().padStart(digits + 1, '0');
  return Number(`${text.slice(0, text.length - digits)}.${text.slice(text.length - digits) || '0'}`);
}

export const isIneligible = (found: object | null): found is Ineligible => found !== null && 'reason' in found;

/** An address of http or https; a note if there is one that is not valid. */
export function readSourceUrl(text: string | null): { url: string | null; notes: Note[] } {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return { url: null, notes: [] };
  if (/^https?:$/.test(URL.parse(trimmed)?.protocol ?? '')) return { url: trimmed, notes: [] };
  return {
    url: null,
    notes: [{ code: 'source_url_unusable', message: 'The address of the page is not valid, so it is not sent.' }],
  };
}
