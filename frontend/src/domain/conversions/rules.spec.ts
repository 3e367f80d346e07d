import { expect, test } from 'vitest';
import { cleanRules, consentNeeds, countryCode, filterNeeds, readMapping, startingRules } from './rules';

const mapping = { id: { field: 'a' }, occurredAt: { field: 'b' }, gclid: { field: 'c' } };

test('ignores entries of a mapping that it does not know', () =>
  expect(readMapping({ id: { field: 'a' }, value: { value: '5' }, email: 'e', phone: null })).toEqual({
    id: { field: 'a' },
    value: { value: '5' },
  }));

test('names invalid countries and incomplete conditions', () => {
  expect(consentNeeds({ ...startingRules, mapping, defaultCountry: 'GER' })).toBe('Enter a country code such as DE');
  expect(consentNeeds({ ...startingRules, mapping, defaultCountry: countryCode(' de') })).toBeNull();
  expect(consentNeeds(startingRules)).toBe('Select the deduplication key');
  expect(filterNeeds([{ field: '', operator: 'equals', value: '' }])).toBe('Select the field of each condition');
});

test('sends no spaces, unused values or hash marks of unmapped fields', () => {
  const rules = cleanRules({
    ...startingRules,
    mapping: { ...mapping, currency: { value: ' EUR ' } },
    hashedFields: ['email'],
    filter: [{ field: 'a', operator: 'exists', value: 'left over' }],
    testCode: '  ',
  });
  expect(rules).toMatchObject({
    mapping: { ...mapping, currency: { value: 'EUR' } },
    hashedFields: [],
    filter: [{ field: 'a', operator: 'exists', value: '' }],
    testCode: null,
  });
});
