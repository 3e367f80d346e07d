/**
 * Formatters of dates and numbers. To create one takes much longer than to use it (20 times and more), and a list formats hundreds of
 * values, so each is created once.
 */
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

function cached<T>(formats: Map<string, T>, key: string, create: () => T): T {
  const known = formats.get(key);
  if (known) return known;
  const format = create();
  formats.set(key, format);
  return format;
}

/** Without a time zone in the options: in the reader's. It can change while the page is open, on a journey for example. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const zone = options.timeZone ?? new Date().getTimezoneOffset();
  const key = JSON.stringify([locale, options, zone]);
  return cached(dateFormats, key, () => new Intl.DateTimeFormat(locale, options));
}

export const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  cached(numberFormats, JSON.stringify(options), () => new Intl.NumberFormat('en-US', options));
