import { afterEach, expect, it, vi } from 'vitest';
import { dateFormat, numberFormat } from './intl';

afterEach(() => {
  vi.restoreAllMocks();
});

it('uses the new time zone after the reader’s has changed', () => {
  const options = { dateStyle: 'short' } as const;
  const before = dateFormat('en-US', options);
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-540);
  expect(dateFormat('en-US', options)).not.toBe(before);
});

it('keeps formats of different locales, options and time zones apart', () => {
  const at = new Date('2026-11-20T23:30:00Z');
  const text = (locale: string, timeZone: string) => dateFormat(locale, { dateStyle: 'short', timeZone }).format(at);
  expect([text('en-CA', 'UTC'), text('en-CA', 'Asia/Tokyo'), text('en-US', 'UTC')]).toEqual([
    '2026-11-20',
    '2026-11-21',
    '11/20/26',
  ]);
  const price = (currency: string) => numberFormat({ style: 'currency', currency }).format(3);
  expect([price('EUR'), price('JPY')]).toEqual(['€3.00', '¥3']);
});

it('creates a format once', () => {
  const options = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  expect(dateFormat('en-US', options)).toBe(dateFormat('en-US', { ...options }));
  expect(numberFormat({ maximumFractionDigits: 4 })).toBe(numberFormat({ maximumFractionDigits: 4 }));
});
