import { expect, test } from 'vitest';
import { sourceDetail } from './source-detail';

const destinations = [
  { id: 'a', target: 'db.example.com/sales' },
  { id: 'b', target: 'db.example.com/crm' },
];

test('destinations with the same name are distinguished by what they contain', () => {
  expect(sourceDetail({ provider: 'postgresql', destinationId: 'a' }, destinations)).toBe(
    'Rows of a query, db.example.com/sales',
  );
  expect(sourceDetail({ provider: 'postgresql', destinationId: 'b' }, destinations)).toBe('Rows of a query, db.example.com/crm');
});

test('an app, and a destination that is not loaded yet, have only the description of their kind', () => {
  expect(sourceDetail({ provider: 'stripe', destinationId: null }, destinations)).toBe('Payments');
  expect(sourceDetail({ provider: 'postgresql', destinationId: 'a' }, [])).toBe('Rows of a query');
});
