import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { dayInTimeZone } from '../../../src/connectors/kit/days.js';
import { ianaZone, knownZones, reportZone } from '../../../src/connectors/microsoft-ads/time-zones.js';
import { readId, readNumber, readPercent, toMicros } from '../../../src/connectors/microsoft-ads/values.js';

describe('money', () => {
  it.each([
    ['0.00', 0n],
    ['1234.56', 1_234_560_000n],
    ['0.07', 70_000n],
    ['-3.1', -3_100_000n],
    ['90071992547409.93', 90_071_992_547_409_930_000n],
    ['0.0000015', 2n],
    ['1E-05', 10n],
    ['1.5E+2', 150_000_000n],
  ])('%s is exactly %s micros', (text, micros) => expect(toMicros(text)).toBe(micros));

  it.each(['', '--', '1,234.56', 'NaN', '12.', '.5', '1e400', ' 1'])('"%s" is not an amount', (text) =>
    expect(toMicros(text)).toBeUndefined(),
  );

  it('preserves every digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (micros) => {
        const digits = String(micros < 0n ? -micros : micros).padStart(7, '0');
        expect(toMicros(`${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`)).toBe(micros);
      }),
    );
  });
});

it('reads two dashes as not computed, and percent signs', () => {
  expect([readNumber('--'), readNumber(''), readNumber('1.5'), readNumber('x')]).toEqual([null, null, 1.5, undefined]);
  expect([readPercent('43.21%'), readPercent('--'), readPercent('%')]).toEqual([43.21, null, null]);
  expect([readId(''), readId('84000000000000001'), readId('1.0')]).toEqual([0n, 84_000_000_000_000_001n, undefined]);
});

describe('time zones', () => {
  it('map each Microsoft name to an existing zone', () => {
    expect(knownZones).toHaveLength(75);
    expect(new Set(knownZones.map(ianaZone)).size).toBe(75);
    for (const name of knownZones)
      expect(() => new Intl.DateTimeFormat('en', { timeZone: ianaZone(name) ?? 'unknown' })).not.toThrow();
  });

  it('use the spelling of the Reporting service, which differs for four', () => {
    const respelled = knownZones.filter((name) => reportZone(ianaZone(name) ?? '') !== name);
    expect(respelled.map((name) => [name, reportZone(ianaZone(name) ?? '')])).toEqual([
      ['AthensBuckarestIstanbul', 'AthensIslandanbulMinsk'],
      ['IslamabadKarachiTashkent', 'IslandamabadKarachiTashkent'],
      ['MidwayIslandAndSamoa', 'MidwayIslandandSamoa'],
      ['SolomonIslandNewCaledonia', 'MagadanSolomonIslandNewCaledonia'],
    ]);
  });

  it('accept the spellings of the Reporting service and of the documentation', () => {
    for (const name of knownZones) {
      const zone = ianaZone(name);
      expect(ianaZone(reportZone(zone ?? '') ?? '')).toBe(zone);
    }
    expect([ianaZone('Yangon'), ianaZone('Newfoundland and Labrador')]).toEqual(['Asia/Yangon', 'America/St_Johns']);
  });

  it('of Greenland have the offset that Microsoft publishes, UTC-3', () => {
    const night = new Date('2026-11-29T02:30:00Z');
    expect(dayInTimeZone(night, ianaZone('Greenland') ?? 'UTC')).toBe('2026-11-28');
    // Accounts that were listed before the offset was corrected.
    expect(reportZone('America/Nuuk')).toBe('Greenland');
  });

  it('that are unknown never become UTC', () => {
    expect([ianaZone('MoonBase'), ianaZone(''), reportZone('Etc/UTC')]).toEqual([null, null, null]);
  });
});
