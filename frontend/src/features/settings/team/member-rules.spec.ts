import { describe, expect, test } from 'vitest';
import { countOwners, lowersRole, offeredRoles, whyNotLeave, whyNotRemove, whyNotTransfer, whyRoleFixed } from './member-rules';
import type { TeamFacts } from './member-rules';

const facts = (given: Partial<TeamFacts> = {}): TeamFacts => ({
  ownRole: 'admin',
  ownersCount: 2,
  disabledReason: null,
  ...given,
});
const owner = { role: 'owner', isYou: false, isDisabled: false } as const;
const editor = { role: 'editor', isYou: false, isDisabled: false } as const;

describe('the last owner', () => {
  const alone = facts({ ownRole: 'owner', ownersCount: 1 });
  test('cannot change the role', () => expect(whyRoleFixed(owner, alone)).toBe('Last owner: make someone else an owner first'));
  test('cannot be removed', () => expect(whyNotRemove(owner, alone)).toBe('The last owner cannot be removed'));
  test('cannot leave', () => expect(whyNotLeave(owner, alone)).toBe('Last owner: make someone else an owner first'));
});

describe('an owner whose account is disabled', () => {
  const disabled = { ...owner, isDisabled: true };
  const alone = facts({ ownRole: 'owner', ownersCount: countOwners([owner, disabled, editor]) });
  test('does not count, so the other one is the last', () => expect(whyNotLeave(owner, alone)).not.toBeNull());
  test('can be removed', () => expect(whyNotRemove(disabled, alone)).toBeNull());
  test('cannot get the organization', () => expect(whyNotTransfer(disabled, null)).toBe('The account is disabled'));
});

test('lets an admin change members up to admin, but no owner', () => {
  expect(whyRoleFixed(editor, facts())).toBeNull();
  expect(whyRoleFixed({ ...editor, role: 'admin', isYou: true }, facts())).toBeNull();
  expect(whyRoleFixed(owner, facts())).toBe('Only owners can change an owner');
  expect(whyNotRemove(owner, facts())).toBe('Only owners can remove an owner');
});

test('returns the reason why the user cannot change members', () => {
  const closed = facts({ ownRole: 'editor', disabledReason: 'Requires the Admin role' });
  expect(whyRoleFixed(editor, closed)).toBe('Requires the Admin role');
  expect(whyNotRemove(editor, closed)).toBe('Requires the Admin role');
});

test('lets all members leave except the last owner', () => {
  expect(whyNotLeave(editor, facts({ disabledReason: 'Requires the Admin role' }))).toBeNull();
  expect(whyNotLeave(owner, facts())).toBeNull();
});

test('offers only roles up to the own role', () => {
  expect(offeredRoles(facts({ ownRole: 'admin' }))).toEqual(['viewer', 'editor', 'admin']);
  expect(offeredRoles(facts({ ownRole: 'owner' }))).toEqual(['viewer', 'editor', 'admin', 'owner']);
});

test('asks only before a role is lowered', () => {
  expect(lowersRole({ role: 'admin' }, 'viewer')).toBe(true);
  expect(lowersRole({ role: 'admin' }, 'admin')).toBe(false);
  expect(lowersRole({ role: 'viewer' }, 'admin')).toBe(false);
});
