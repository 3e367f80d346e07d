import { expect, test } from 'vitest';
import type { OrganizationEntry } from '~/api/types';
import { describeMissing } from './missing-organization';

const unknown = 'This organization does not exist, or you are not a member of it.';
const lost = 'You are no longer a member of Northwind, or it was deleted.';
const visitor = { organizations: null, orgId: null, organization: null, super_admin: false };
const entry = (role: OrganizationEntry['role']) => ({ organizationId: 'o', companyName: 'Northwind', role }) as OrganizationEntry;

test('names an organization that is in the list of the user', () =>
  expect(describeMissing('o', { ...visitor, organizations: [entry('viewer')] })).toBe(lost));

test('names the organization that the user opened last, also when it is in the list no longer', () =>
  expect(
    describeMissing('o', { ...visitor, organizations: [], orgId: 'o', organization: { name: 'Northwind', logo: null } }),
  ).toBe(lost));

test('names no organization that the user was not a member of', () => {
  const opened = { ...visitor, orgId: 'o', organization: { name: 'Northwind', logo: null } };
  expect(describeMissing('p', opened)).toBe(unknown);
  expect(describeMissing('o', { ...opened, super_admin: true })).toBe(unknown);
  expect(describeMissing('o', { ...opened, organizations: [entry(null)] })).toBe(unknown);
  expect(describeMissing('o', null)).toBe(unknown);
});
