import { expect, test } from 'vitest';
import { describeEnding, newInvitationMail, stageOf } from './invitation-stage';

test.each([
  ['pending', null, 'signed-out'],
  ['pending', false, 'other-account'],
  ['pending', true, 'yours'],
  ['expired', null, 'ended'],
  ['revoked', true, 'ended'],
  ['accepted', false, 'ended'],
  ['rejected', true, 'ended'],
] as const)('state %s, for this user: %j → %s', (state, isForYou, stage) => expect(stageOf({ state, isForYou })).toBe(stage));

const given = { organizationName: 'Northwind', inviterEmail: 'owner@example.com', inviterName: 'Owner', isForYou: true };

test.each(['expired', 'revoked', 'rejected'] as const)('names the inviter when the invitation is %s', (state) =>
  expect(describeEnding({ ...given, state }).text).toContain('ask Owner (owner@example.com) for a new one'.slice(1)),
);

test('asks the inviter for a new invitation by mail, and encodes the names', () => {
  const url = new URL(
    newInvitationMail({ organizationName: 'A & B', inviterEmail: 'owner+1@example.com', email: 'me@example.com' }),
  );
  expect(decodeURIComponent(url.pathname)).toBe('owner+1@example.com');
  expect([...url.searchParams.keys()]).toEqual(['subject', 'body']);
  expect(url.searchParams.get('subject')).toBe('New invitation to A & B');
  expect(url.searchParams.get('body')).toContain('invite me@example.com again');
});

test('describes a used invitation to its recipient, to a removed member and to other users', () => {
  expect(describeEnding({ ...given, state: 'accepted' }).text).toBe('You joined Northwind.');
  expect(describeEnding({ ...given, state: 'accepted' }, { isFormerMember: true }).text).toBe(
    'You are no longer a member of Northwind. Ask Owner (owner@example.com) for a new one.',
  );
  expect(describeEnding({ ...given, isForYou: null, state: 'accepted' }).text).toBe('It was used to join Northwind.');
});
