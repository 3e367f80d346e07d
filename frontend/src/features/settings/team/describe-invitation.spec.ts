import { expect, test } from 'vitest';
import { canResend, canRevoke, describeMail, describeState } from './describe-invitation';

const now = new Date('2026-11-20T10:00:00Z');
const expiresAt = '2026-11-26T10:00:00Z';
const endedAt = '2026-11-18T10:00:00Z';

test.each([
  [{ state: 'pending', expiresAt, endedAt: null }, 'Expires in 6 days'],
  [{ state: 'expired', expiresAt: '2026-11-03T10:00:00Z', endedAt: null }, 'Expired Nov 3'],
  [{ state: 'accepted', expiresAt, endedAt }, 'Accepted Nov 18'],
  [{ state: 'rejected', expiresAt, endedAt }, 'Declined Nov 18'],
  [{ state: 'revoked', expiresAt, endedAt: null }, 'Revoked'],
] as const)('describes %j as "%s"', (invitation, text) => expect(describeState(invitation, now)).toBe(text));

test('reports email problems of pending invitations only', () => {
  expect(describeMail({ state: 'pending', mailState: 'failed' })).toMatch(/was not delivered/);
  expect(describeMail({ state: 'pending', mailState: 'not_configured' })).toMatch(/no mail server/);
  expect(describeMail({ state: 'pending', mailState: 'queued' })).toBeNull();
  expect(describeMail({ state: 'accepted', mailState: 'failed' })).toBeNull();
});

test('can resend but not revoke an expired invitation, and neither for an ended one', () => {
  expect([canResend({ state: 'expired' }), canRevoke({ state: 'expired' })]).toEqual([true, false]);
  expect([canResend({ state: 'revoked' }), canRevoke({ state: 'revoked' })]).toEqual([false, false]);
});
