import { expect, test } from 'vitest';
import { backLinkOf } from './back-link';

test('a failed sign-in leads back to the step of the flow that it was started in', () => {
  const stepOf = (from: 'connection' | 'conversion', provider: string) => backLinkOf('o', from, provider, 'a').to;
  expect(stepOf('connection', 'google_ads')).toBe('/o/createConnection?step=source');
  expect(stepOf('connection', 'bigquery')).toBe('/o/createConnection?step=destination');
  expect(stepOf('conversion', 'google_ads')).toBe('/o/createConversion?step=destination');
  expect(stepOf('conversion', 'bigquery')).toBe('/o/createConversion?step=source');
});

test('outside a flow it leads back to the app, and to the list of apps without one', () => {
  expect(backLinkOf('o', 'app', 'google_ads', 'a')).toEqual({ label: 'Back to the app', to: '/o/app/a' });
  expect(backLinkOf('o', null, 'google_ads', undefined)).toEqual({ label: 'Back to apps', to: '/o/app' });
});
