import { expect, test } from 'vitest';
import { describeEnding, stageOf } from './invitation-stage';

test.each([
  ['pending', null, 'signed-out'],
  ['pending', false, 'other-account'],
  ['pending', true, 'yours'],
  ['expired', null, 'ended'],
  ['revoked', true, 'ended'],
  ['accepted', false, 'ended'],
  ['rejected', true, 'ended'],
] as const)('%s, for the reader: %j → %s', (state, isForYou, stage) => expect(stageOf({ state, isForYou })).toBe(stage));

const given = { organizationName: 'Northwind', inviterEmail: 'owner@example.com', inviterName: 'Owner', isForYou: true };

test.each(['expired', 'revoked', 'rejected'] as const)('one that is %s names who can send another', (state) =>
  expect(describeEnding({ ...given, state }).text).toContain('ask Owner (owner@example.com) for a new one'.slice(1)),
);

test('a used one tells its own reader that they are in', () => {
  expect(describeEnding({ ...given, state: 'accepted' }).text).toBe('You are in Northwind.');
  expect(describeEnding({ ...given, isForYou: null, state: 'accepted' }).text).toBe('Somebody joined Northwind with it.');
});
