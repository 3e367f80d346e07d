import { expect, test } from 'vitest';
import type { Organization } from '~/api/types';
import { changeOf, currencyOptions, describeChanges, timeZoneOptions, valuesOf } from './general-values';

const base = {
  name: 'Northwind',
  logo: '/api/v1/logos/0192f0c1-7a5e-4c3a-9f1e-5b8f6a2d4c10',
  currency: 'EUR',
  timeZone: 'Europe/Berlin',
  version: 3,
} as Organization;

test('what was not touched is not sent, so that a logo survives a new name', () => {
  expect(changeOf({ ...valuesOf(base), name: ' Northwind Traders ' }, base)).toEqual({ version: 3, name: 'Northwind Traders' });
});

test('a removed logo is sent as null', () => {
  expect(changeOf({ ...valuesOf(base), logo: null }, base)).toEqual({ version: 3, logo: null });
});

test('a conflict names what the other one changed', () => {
  expect(describeChanges(base, { ...base, name: 'N', currency: 'USD' })).toBe('the name and the currency');
  expect(describeChanges(base, base)).toBe('these settings');
});

test('what is set can be chosen, even where this browser does not know it', () => {
  expect(currencyOptions('EUR').find(({ value }) => value === 'EUR')?.label).toBe('EUR – Euro');
  expect(currencyOptions('XTS')[0]?.value).toBe('XTS');
  expect(timeZoneOptions('Mars/Olympus')).toContain('Mars/Olympus');
});
