import { expect, test } from 'vitest';
import { afterDestination, afterSource, newDestinationStep } from './flow-steps';

const source = { id: 's', provider: 'meta_ads' };

test('opens the created source or destination outside a flow', () => {
  expect(afterSource('o', null, source)).toBe('/o/source/s/meta/configuration');
  expect(afterDestination('o', 'app', 'd')).toBe('/o/destination/d/configuration');
});

test('passes the created source or destination to the next step of the wizard', () => {
  expect(afterSource('o', 'connection', source)).toBe('/o/createConnection?step=destination&source=s');
  expect(afterDestination('o', 'connection', 'd')).toBe('/o/createConnection?step=configure&destination=d');
});

test('returns to the conversion wizard', () => {
  expect(afterSource('o', 'conversion', source)).toBe('/o/createConversion');
  expect(afterDestination('o', 'conversion', 'd')).toBe('/o/createConversion');
});

test('uses the BigQuery step only inside a flow', () => {
  expect(newDestinationStep('o', 'connection', 'bigquery')).toBe('/bigquery');
  expect(newDestinationStep('o', null, 'bigquery')).toBe('/o/destination/new/configuration?provider=bigquery');
  expect(newDestinationStep('o', 'connection', 'mixpanel')).toBe('/o/destination/new/configuration?provider=mixpanel');
});
