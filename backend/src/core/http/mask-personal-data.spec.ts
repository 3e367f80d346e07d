import { describe, expect, it } from 'vitest';
import { maskPersonalData, maskPersonalText } from './mask-personal-data.js';

describe('masked personal data', () => {
  it.each([
    ['buyer@example.com', '[email]'],
    ['from <a.b+c@example.com>, to "d@example.com"', 'from <[email]>, to "[email]"'],
    ['a@b@c.d and @e', '[email]@c.d and @e'],
    ['call +49 171 1234567 or order 491711234567', 'call [phone] or order 491711234567'],
    ['192.168.1.20 and 2001:db8:0:0:1:2:3:4', '[ip] and [ip]'],
    [
      '2001:db8::1, [fe80::a:1]:443 and at 2026:01:02 12:30:45, std::map',
      '[ip], [[ip]]:443 and at 2026:01:02 12:30:45, std::map',
    ],
  ])('of %s', (text, masked) => expect(maskPersonalText(text)).toBe(masked));

  it('includes names of fields, and fields named phone entirely', () =>
    expect(maskPersonalData({ 'a@example.com': 1, phone: 123, list: ['b@example.com'] })).toEqual({
      '[email]': 1,
      phone: '[phone]',
      list: ['[email]'],
    }));

  it('does not include the hash of a phone number, so that it can be compared', () => {
    const hash = '67e7a951'.repeat(8);
    expect(maskPersonalData({ HashedPhoneNumber: hash, ph: [hash], phone: [hash, '0171 123'] })).toEqual({
      HashedPhoneNumber: hash,
      ph: [hash],
      phone: [hash, '[phone]'],
    });
  });

  // With a time that grows with the square of the length, this takes minutes.
  it.each(['x', '1', '+1', 'a.', ' ', '@', 'a:'])('is fast for a text of a million characters: %j', (part) =>
    expect(maskPersonalText(part.repeat(1_000_000 / part.length))).not.toContain('[email]x'),
  );
});
