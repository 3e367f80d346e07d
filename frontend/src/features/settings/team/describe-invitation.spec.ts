import { expect, test } from 'vitest';
import { canResend, canRevoke, describeMail, describeState } from './describe-invitation';

const now = new Date('2026-11-20T10:00:00Z');
const expiresAt = '2026-11-26T10:00:00Z';
const endedAt = '2026-11-18T10:00:00Z';

test.each([
  [{ state: 'pending', expiresAt, endedAt: null }, 'Expires in 6 days'],
  [{ state: 'expired', expiresAt: '2026-11-03T10:00:00Z', endedAt: null }, 'Expired Nov 3'],
  [{ state: 'accepted', expiresAt, endedAt }, 'Accepted Nov 18'],
  [{ state: 'rejected', expiresAt, endedAt }, 'Rejected Nov 18'],
  [{ state: 'revoked', expiresAt, endedAt: null }, 'Revoked'],
] as const)('%j reads as "%s"', (invitation, text) => expect(describeState(invitation, now)).toBe(text));

test('only an open one says that its mail is in trouble', () => {
  expect(describeMail({ state: 'pending', mailState: 'failed' })).toMatch(/could not be delivered/);
  expect(describeMail({ state: 'pending', mailState: 'not_configured' })).toMatch(/no mail server/);
  expect(describeMail({ state: 'pending', mailState: 'queued' })).toBeNull();
  expect(describeMail({ state: 'accepted', mailState: 'failed' })).toBeNull();
});

test('an expired invitation can be sent again and not revoked, one that ended neither', () => {
  expect([canResend({ state: 'expired' }), canRevoke({ state: 'expired' })]).toEqual([true, false]);
  expect([canResend({ state: 'revoked' }), canRevoke({ state: 'revoked' })]).toEqual([false, false]);
});
