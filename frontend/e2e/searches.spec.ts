import { expect, test } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { demo } from './support/instance.ts';
import { openAs } from './support/steps.ts';

/** The text of a search is in the URL. Links and Back change it too. */

test('links end the search of connections, and Back repeats it', async ({ page }) => {
  const { email, password, organizationId } = demo();
  await openAs(page, { email, password }, `/${organizationId}/connection`);
  const field = page.getByRole('searchbox', { name: 'Search connections' });
  await field.fill('no such connection');
  await expect(page.getByText('No matching connections.')).toBeVisible();
  await expect(page).toHaveURL(/search=no\+such\+connection/);
  await page.getByRole('link', { name: 'Show all' }).click();
  await expect(field).toHaveValue('');
  await expect(page.locator('tbody').getByRole('link').first()).toBeVisible();
  await expect(page).toHaveURL(/\/connection$/);
  await page.goBack();
  await expect(field).toHaveValue('no such connection');
  await expect(page.getByText('No matching connections.')).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Connections' }).click();
  await expect(field).toHaveValue('');
  await expect(page).toHaveURL(/\/connection$/);
});

test('keeps the space of an unfinished search', async ({ page }) => {
  const { email, password, organizationId } = demo();
  await openAs(page, { email, password }, `/${organizationId}/connection`);
  const field = page.getByRole('searchbox', { name: 'Search connections' });
  await field.fill('no such ');
  await expect(page).toHaveURL(/search=no\+such$/);
  await expect(page.getByText('No matching connections.')).toBeVisible();
  await expect(field).toHaveValue('no such ');
});

test('a link to the audit log ends its search', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/settings?tab=audit`);
  const field = page.getByRole('textbox', { name: 'Who' });
  await field.fill('nobody');
  await field.press('Enter');
  await expect(page.getByText('No events match these filters.')).toBeVisible();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByText('No events match these filters.')).toHaveCount(0);
  await expect(field).toHaveValue('');
});

test('a filter of the audit log that cannot be loaded shows no events of the filter before it', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/settings?tab=audit`);
  await expect(page.getByText('Organization created')).toBeVisible();
  await page.route(/audit-events\?(?=.*actor=)/, (route) => route.fulfill({ status: 503, json: { detail: 'Not available' } }));
  const field = page.getByRole('textbox', { name: 'Who' });
  await field.fill('nobody');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Couldn’t load the audit log');
  await expect(page.getByText('Organization created')).toHaveCount(0);
});
