import { expect, test } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { allowAccess, open, openAs } from './support/steps.ts';

test('restores a deleted source with Undo; deleting an app cannot be undone', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/app/connect`);
  await page.getByRole('button', { name: 'Connect Meta Ads' }).click();
  await allowAccess(page, undefined, 'Facebook');
  await page.getByRole('button', { name: /^Continue with \d+ account/ }).click();
  await page.getByRole('link', { name: 'Open source' }).click();
  await expect(page).toHaveURL(/\/source\//);
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeVisible();
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText(/You can restore it until \w{3} \d+/);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete source' }).click();
  await expect(page.getByText(`${name} deleted`)).toBeVisible();
  await expect(page.getByRole('link', { name })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(`${name} restored`)).toBeVisible();
  await page.getByRole('link', { name }).first().click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete source' }).click();
  await expect(page.getByText(`${name} deleted`)).toBeVisible();
  await open(page, `/${organizationId}/app`);
  await page.getByRole('link', { name: 'Meta Ads' }).first().click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('This cannot be undone');
});
