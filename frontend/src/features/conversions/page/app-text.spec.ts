import { beforeAll, expect, test } from 'vitest';
import { rememberProviders } from '~/domain/accounts/providers';
import { appText } from './app-text';

beforeAll(() => rememberProviders([{ provider: 'microsoft_ads', name: 'Microsoft Ads', category: 'ads', roles: ['source'] }]));

test('names the app and its platform', () =>
  expect(appText({ appName: 'Northwind', provider: 'microsoft_ads' })).toBe('Northwind, Microsoft Ads'));

test('names an app once that is named after its platform', () =>
  expect(appText({ appName: 'Microsoft Ads', provider: 'microsoft_ads' })).toBe('Microsoft Ads'));
