import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson, countOf } from './support/calls.ts';
import { anOrder, aPushApp } from './support/conversions.ts';
import { allowAccess, consentPage, denyAccess, open, openAs } from './support/steps.ts';

async function openConsent(page: Page) {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/createConnection`);
  await page.getByRole('button', { name: 'Connect Google Ads' }).click();
  await consentPage(page);
  return { person, organizationId };
}

test('stores nothing when access is denied, and offers a retry', async ({ page }) => {
  const { person, organizationId } = await openConsent(page);
  await denyAccess(page);
  await expect(page.getByText('Access was not granted')).toBeVisible();
  expect(await countOf(person, organizationId, 'sources')).toBe(0);
  await page.getByRole('button', { name: 'Sign in with Google again' }).click();
  await allowAccess(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
});

test('names a missing permission and offers to sign in again', async ({ page }) => {
  await openConsent(page);
  const consent = await consentPage(page);
  await consent.getByRole('checkbox', { name: /Google Ads/ }).uncheck();
  await allowAccess(page);
  await expect(page.getByText('One permission is missing')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in again and select it' })).toBeVisible();
});

test('shows that a user has no ad accounts and offers another user', async ({ page }) => {
  await openConsent(page);
  await allowAccess(page, 'nobody@example.com');
  await expect(page.getByText('This Google user has no ad accounts')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in as another user' }).click();
  await consentPage(page);
});

test('leads back to the new conversion when access for it is denied', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await app.push([anOrder('n-1')]);
  await openAs(page, person, `/${organizationId}/createConversion`);
  await page.getByRole('radio', { name: new RegExp(app.name) }).check();
  await expect(page.getByRole('region', { name: 'Newest records', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Destination' }).click();
  await page.getByRole('link', { name: 'Connect an ad platform' }).click();
  await page.getByRole('button', { name: 'Connect Google Ads' }).click();
  await denyAccess(page);
  await expect(page.getByText('Access was not granted')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the conversion' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/createConversion\\?step=destination$`));
  await expect(page.getByRole('region', { name: 'Ad platform' })).toBeVisible();
});

test('rejects an answer with an unknown state', async ({ page }) => {
  const { organizationId } = await openConsent(page);
  await open(page, `/${organizationId}/GoogleAds?state=made-up&code=made-up`);
  await expect(page.getByText('This sign-in is not valid')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the connection' }).click();
  await expect(page.getByRole('heading', { name: 'Create connection' })).toBeVisible();
});

test('reports a closed sign-in window and allows signing in on the same page', async ({ page }) => {
  const { organizationId } = await openConsent(page);
  await (await consentPage(page)).close();
  await expect(page.getByText('The Google window closed before the sign-in finished. Nothing was changed.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in on this page instead' }).click();
  await expect(page.getByText('Sandbox: this is not Google')).toBeVisible();
  await allowAccess(page);
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/GoogleAds`));
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
});

test('offers to sign in on a landing page without an answer', async ({ page }) => {
  const { organizationId } = await openConsent(page);
  await (await consentPage(page)).close();
  await open(page, `/${organizationId}/GoogleAds`);
  await expect(page.getByText('Nothing to finish here')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await allowAccess(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
});

test('replaces the address after the consent, so that a reload shows the accounts', async ({ page }) => {
  await openConsent(page);
  await allowAccess(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  await expect(page).toHaveURL(/\/GoogleAds\?app=[0-9a-f-]+$/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  await expect(page.getByText('is not connected')).toHaveCount(0);
  await page.goBack();
  await expect(page).not.toHaveURL(/code=|state=/);
  await expect(page.getByRole('heading', { name: 'Create connection' })).toBeVisible();
});
