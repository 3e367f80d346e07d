import { expect, test } from 'vitest';
import type { PersonEntry } from '~/api/types';
import { describeDisabled } from './describe-access';

const person = (change: Partial<PersonEntry>): PersonEntry => ({
  uid: 'u',
  email: 'a@example.com',
  fullName: 'A',
  photoURL: null,
  role: 'user',
  isEmailVerified: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: null,
  disabledAt: '2026-01-02T00:00:00.000Z',
  disabledReason: null,
  disabledNote: null,
  ...change,
});

test.each<[Partial<PersonEntry>, string]>([
  [{}, 'By an operator,'],
  [{ disabledReason: 'identity_disabled' }, 'Disabled at the identity provider,'],
  [{ disabledReason: 'identity_deleted' }, 'Deleted at the identity provider,'],
  [{ disabledReason: 'staff', disabledNote: 'Left the company' }, 'By platform staff: Left the company,'],
])('describes %o as %s', (change, text) => {
  expect(describeDisabled(person(change))).toBe(text);
});
