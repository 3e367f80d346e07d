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

test('sends changed fields only, so that a new name keeps the logo', () => {
  expect(changeOf({ ...valuesOf(base), name: ' Northwind Traders ' }, base)).toEqual({ version: 3, name: 'Northwind Traders' });
});

test('sends null for a removed logo', () => {
  expect(changeOf({ ...valuesOf(base), logo: null }, base)).toEqual({ version: 3, logo: null });
});

test('names the fields that another user changed', () => {
  expect(describeChanges(base, { ...base, name: 'N', currency: 'USD' })).toBe('the name and the currency');
  expect(describeChanges(base, base)).toBe('these settings');
});

test('offers the current value even if the browser does not support it', () => {
  expect(currencyOptions('EUR').find(({ value }) => value === 'EUR')?.label).toBe('EUR – Euro');
  expect(currencyOptions('XTS')[0]?.value).toBe('XTS');
  expect(timeZoneOptions('Mars/Olympus')).toContain('Mars/Olympus');
});
