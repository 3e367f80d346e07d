import { describe, expect, test } from 'vitest';
import { offeredRoles, whyNotLeave, whyNotRemove, whyRoleFixed } from './member-rules';
import type { TeamFacts } from './member-rules';

const facts = (given: Partial<TeamFacts> = {}): TeamFacts => ({
  ownRole: 'admin',
  ownersCount: 2,
  disabledReason: null,
  ...given,
});
const owner = { role: 'owner', isYou: false } as const;
const editor = { role: 'editor', isYou: false } as const;

describe('the only owner', () => {
  const alone = facts({ ownRole: 'owner', ownersCount: 1 });
  test('keeps the role', () => expect(whyRoleFixed(owner, alone)).toBe('The only owner: name another first'));
  test('cannot be removed', () => expect(whyNotRemove(owner, alone)).toBe('An organization always has an owner'));
  test('cannot leave', () => expect(whyNotLeave(owner, alone)).toBe('You are the only owner: name another first'));
});

test('an admin changes everybody up to admins, and no owner', () => {
  expect(whyRoleFixed(editor, facts())).toBeNull();
  expect(whyRoleFixed({ role: 'admin', isYou: true }, facts())).toBeNull();
  expect(whyRoleFixed(owner, facts())).toBe('Only an owner changes an owner');
  expect(whyNotRemove(owner, facts())).toBe('Only an owner removes an owner');
});

test('whoever may not change members reads why', () => {
  const closed = facts({ ownRole: 'editor', disabledReason: 'Needs an admin' });
  expect(whyRoleFixed(editor, closed)).toBe('Needs an admin');
  expect(whyNotRemove(editor, closed)).toBe('Needs an admin');
});

test('anybody but the only owner may leave', () => {
  expect(whyNotLeave(editor, facts({ disabledReason: 'Needs an admin' }))).toBeNull();
  expect(whyNotLeave(owner, facts())).toBeNull();
});

test('nobody gives a role above their own', () => {
  expect(offeredRoles(facts({ ownRole: 'admin' }))).toEqual(['viewer', 'editor', 'admin']);
  expect(offeredRoles(facts({ ownRole: 'owner' }))).toEqual(['viewer', 'editor', 'admin', 'owner']);
});
