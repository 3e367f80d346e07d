import { expect, test } from '@playwright/test';
import { aMember, anOrganization, aPerson } from './support/calls.ts';
import { open, openAs, signIn } from './support/steps.ts';

/** Two tabs of one browser share the session, but not the organization. */

test('a page of a flow belongs to the organization of its tab', async ({ page, context }) => {
  const owner = await aPerson();
  const first = await anOrganization(owner, 'Northwind');
  const second = await anOrganization(owner, 'Contoso');
  await openAs(page, owner, `/${first}/source`);
  await expect(page.getByRole('button', { name: /Northwind/ }).first()).toBeVisible();
  const other = await context.newPage();
  await open(other, `/${second}/source`);
  await expect(other.getByRole('button', { name: /Contoso/ }).first()).toBeVisible();
  const third = await context.newPage();
  await open(third, '/addSource');
  await expect(third.getByRole('button', { name: /Contoso/ }).first()).toBeVisible();
  await open(page, '/addSource');
  await expect(page.getByRole('button', { name: /Northwind/ }).first()).toBeVisible();
});

test('after a sign-out in another tab, the next user sees nothing that the last one had loaded', async ({ page, context }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const admin = await aMember(owner, organizationId, 'admin');
  await openAs(page, owner, `/${organizationId}/settings?tab=audit`);
  const event = page.getByText('Organization created');
  await expect(event).toBeVisible();
  const other = await context.newPage();
  await open(other, `/${organizationId}/source`);
  await other.getByRole('button', { name: /Account menu/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  // Without the answers of the server, the page can show only what was loaded before.
  await page.route('**/audit-events?**', () => undefined);
  await signIn(page, admin);
  await expect(page).toHaveURL(/tab=audit$/);
  await expect(page.getByRole('status', { name: 'Loading the audit log' }).or(event).first()).toBeVisible();
  await expect(event).toHaveCount(0);
});
