import { expect, it } from 'vitest';
import { traits as google } from '../../../src/connectors/google-data-manager/traits.js';
import { traits as meta } from '../../../src/connectors/meta-conversions/traits.js';
import { offlineTraits, uetTraits } from '../../../src/connectors/microsoft-conversions/traits.js';

it.each([
  ['Google', google, 2_000, 90, 'deduplicated', [true, false], true],
  ['Meta', meta, 1_000, 7, 'may_count_twice', [false, false], false],
  ['Microsoft offline', offlineTraits, 1_000, 90, 'deduplicated', [true, true], false],
  ['Microsoft UET', uetTraits, 1_000, 7, 'may_count_twice', [true, true], false],
] as const)('%s declares what it supports', (_, traits, size, days, resend, adjustments, hasValidateOnly) => {
  expect(traits).toMatchObject({ maxBatchSize: size, resend, hasValidateOnly });
  expect(traits.maxAgeDays('website')).toBe(days);
  expect([traits.adjustments.canRestate, traits.adjustments.canRetract]).toEqual(adjustments);
  // A later decision that can be read requires a status call.
  expect(traits.exactness.processing === 'never').toBe(traits.statusPoll === null);
});

it('Meta accepts older events of stores', () => {
  expect(meta.maxAgeDays('physical_store')).toBe(62);
});
