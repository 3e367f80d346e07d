import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { aConversion, anOrder, aPushApp, connectGoogle } from './support/conversions.ts';
import { open, openAs } from './support/steps.ts';

test('a failing conversion has an alert that leads to the fix, and the alert ends when events arrive', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await app.push([anOrder('alert-1')]);
  await openAs(page, person, `/${organizationId}/alert`);
  await expect(page.getByText('No open alerts')).toBeVisible();
  await connectGoogle(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  // Google does not allow new installations to upload clicks.
  const settings = { api: 'google_ads_upload' };
  await aConversion(person, { app, organizationId, name: 'Orders', settings });

  await open(page, `/${organizationId}/alert`);
  const alert = page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem');
  await expect(alert.getByRole('heading', { name: 'Orders is failing' })).toBeVisible();
  await expect(alert).toHaveCount(1);
  await expect(alert.getByText('Use the Data Manager API')).toBeVisible();
  await alert.getByRole('link', { name: 'Open runs' }).click();
  await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible();
  await expect(page.getByText('Failed').first()).toBeVisible();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'Choose the API' }).click();
  const api = page.getByRole('region', { name: 'API' });
  await expect(api.getByRole('radio', { name: /Click uploads/ })).toBeChecked();
  await expectAccessible(page, 'settings with the choice of an API');
  await page.screenshot({ path: '../.tmp/conversion-api.png', fullPage: true });
  await api.getByRole('radio', { name: /Data Manager API/ }).check();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();

  await page.getByRole('link', { name: 'Events' }).click();
  await expect(page.getByRole('row', { name: /alert-1/ })).toContainText('Accepted');
  await open(page, `/${organizationId}/alert`);
  await expect(page.getByText('No open alerts')).toBeVisible();
  await page.getByRole('link', { name: 'Recovered' }).click();
  await expect(page.getByRole('heading', { name: 'Orders works again' })).toBeVisible();
});
