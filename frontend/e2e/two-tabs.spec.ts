import { expect, test } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { open, signIn } from './support/steps.ts';

/** Two tabs of one browser share the session, but not the organization. */

test('a page of a flow belongs to the organization of its tab', async ({ page, context }) => {
  const owner = await aPerson();
  const first = await anOrganization(owner, 'Northwind');
  const second = await anOrganization(owner, 'Contoso');
  await open(page, `/${first}/source`);
  await signIn(page, owner);
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
