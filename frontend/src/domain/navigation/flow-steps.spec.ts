import { expect, test } from 'vitest';
import { afterDestination, afterSource, newDestinationStep } from './flow-steps';

const source = { id: 's', provider: 'meta_ads' };

test('outside of any flow what was made is shown itself', () => {
  expect(afterSource('o', null, source)).toBe('/o/source/s/meta/configuration');
  expect(afterDestination('o', 'app', 'd')).toBe('/o/destination/d/configuration');
});

test('the wizard takes what was made along to its next step', () => {
  expect(afterSource('o', 'connection', source)).toBe('/o/createConnection?step=destination&source=s');
  expect(afterDestination('o', 'connection', 'd')).toBe('/o/createConnection?step=configure&destination=d');
});

test('a conversion goes back to its own wizard', () => {
  expect(afterSource('o', 'conversion', source)).toBe('/o/createConversion');
  expect(afterDestination('o', 'conversion', 'd')).toBe('/o/createConversion');
});

test('BigQuery has a step of its own inside a flow only', () => {
  expect(newDestinationStep('o', 'connection', 'bigquery')).toBe('/bigquery');
  expect(newDestinationStep('o', null, 'bigquery')).toBe('/o/destination/new/configuration?provider=bigquery');
  expect(newDestinationStep('o', 'connection', 'mixpanel')).toBe('/o/destination/new/configuration?provider=mixpanel');
});
