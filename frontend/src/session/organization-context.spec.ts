import { expect, test } from 'vitest';
import { statusOf } from './organization-context';

test('a missing organization is pending while it is requested again, because the user can have joined or restored it', () => {
  expect(statusOf(null, undefined, true)).toBe('pending');
  expect(statusOf(null, undefined, false)).toBe('missing');
});

test('an organization that is shown stays while it is requested again', () =>
  expect(
    statusOf(
      {
        organization_id: 'id',
        company_name: 'Northwind',
        company_logo: null,
        connections_count: 0,
        role: 'owner',
        subscription: null,
      },
      undefined,
      true,
    ),
  ).toBe('present'));
