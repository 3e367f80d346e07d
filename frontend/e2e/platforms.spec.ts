import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { addFault, anOrganization, aPerson } from './support/calls.ts';
import { allowAccess, consentPage, open, openAs } from './support/steps.ts';
import type { Platform } from './support/steps.ts';

async function openCatalog(page: Page): Promise<string> {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/app/connect`);
  await expect(page.getByRole('heading', { name: 'Advertising' })).toBeVisible();
  return organizationId;
}

/** The faults that end a sign-in. Microsoft needs two, because the app accepts its rejection of a revoked token only the third time. */
const ENDING_FAULTS: Record<string, string[]> = {
  'meta-ads': ['revoke'],
  'microsoft-ads': ['expire_token', 'interaction_required'],
};

/** Ends the sign-ins of a user that no other test uses, and checks the app. */
async function endSignIn(page: Page, provider: string, user: string): Promise<void> {
  for (const fault of ENDING_FAULTS[provider] ?? []) await addFault({ provider, fault, user });
  await page.getByRole('link', { name: 'Open app' }).click();
  await page.getByRole('button', { name: 'Test now' }).click();
  await expect(page.getByText('Reconnect needed').first()).toBeVisible();
  await expect(page.getByText(/Ended by/)).toBeVisible();
}

async function connect(page: Page, name: string, user: string, platform: Platform): Promise<void> {
  await page.getByRole('button', { name: `Connect ${name}` }).click();
  await allowAccess(page, user, platform);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  await page.getByRole('button', { name: /^Continue with \d+ account/ }).click();
  await expect(page.getByRole('heading', { name: `${name} is connected` })).toBeVisible();
}

test('names a missing Meta permission and connects after it is granted', async ({ page }) => {
  await openCatalog(page);
  await page.getByRole('button', { name: 'Connect Meta Ads' }).click();
  const consent = await consentPage(page, 'Facebook');
  await consent.getByRole('checkbox', { name: /^Ads/ }).uncheck();
  await allowAccess(page, undefined, 'Facebook');
  await expect(page.getByText('One permission is missing')).toBeVisible();
  await expect(page.getByText(/ads_read/)).toBeVisible();
  await page.getByRole('button', { name: 'Sign in again and select it' }).click();
  await allowAccess(page, undefined, 'Facebook');
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
});

test('shows the account differences of another Meta user, and reconnects with the original user', async ({ page }) => {
  await openCatalog(page);
  await connect(page, 'Meta Ads', 'limited@example.com', 'Facebook');
  await endSignIn(page, 'meta-ads', 'limited@example.com');
  await open(page, '/metaReauth');
  await expect(page.getByText(/Meta ended the sign-in on/)).toBeVisible();
  await page.getByRole('button', { name: 'Reconnect with Meta' }).click();
  await allowAccess(page, 'demo@example.com', 'Facebook');
  await expect(page.getByRole('heading', { name: 'Another Meta user signed in' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Loses access to' })).toContainText('Northwind AT');
  await expect(page.getByRole('region', { name: 'Gains access to' })).toContainText('Northwind JP');
  await page.getByRole('button', { name: 'Sign in as limited@example.com' }).click();
  await allowAccess(page, 'limited@example.com', 'Facebook');
  await expect(page.getByRole('heading', { name: 'Meta Ads is reconnected' })).toBeVisible();
  // A reload of this page shows the same result.
  await page.getByRole('main').getByRole('link', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/app\//);
  await open(page, '/metaReauth');
  await expect(page.getByText('All Meta sign-ins work')).toBeVisible();
});

test('reconnects an app with another Microsoft user after confirmation', async ({ page }) => {
  await openCatalog(page);
  await connect(page, 'Microsoft Ads', 'limited@example.com', 'Microsoft');
  await endSignIn(page, 'microsoft-ads', 'limited@example.com');
  await open(page, '/microsoftReauth');
  await page.getByRole('button', { name: 'Reconnect with Microsoft' }).click();
  await allowAccess(page, 'demo@example.com', 'Microsoft');
  await expect(page.getByRole('heading', { name: 'Another Microsoft user signed in' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue as demo@example.com' }).click();
  await expect(page.getByRole('heading', { name: 'Microsoft Ads is reconnected' })).toBeVisible();
  await expect(page.getByText('Signed in as demo@example.com')).toBeVisible();
});

test('disconnects an app and revokes its reconnect link', async ({ page }) => {
  await openCatalog(page);
  await connect(page, 'Microsoft Ads', 'agency@example.com', 'Microsoft');
  await page.getByRole('link', { name: 'Open app' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('dialog')).toContainText('What stops');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('button', { name: 'Disconnect app' }).click();
  await expect(page.getByText(/This app was disconnected/)).toBeVisible();
  await page.getByRole('button', { name: 'Share link' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const url = await page.getByRole('dialog').locator('code').innerText();
  expect(new URL(url).pathname).toMatch(/^\/reconnect\/\S{20,}$/);
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await expect(page.getByText('The link no longer works')).toBeVisible();
  const link = await page.context().newPage();
  await link.goto(url);
  await expect(link.getByRole('heading', { name: 'The link was revoked' })).toBeVisible();
});

test('selects accounts by keyboard, creates a source and shows its tables', async ({ page }) => {
  const organizationId = await openCatalog(page);
  await connect(page, 'Meta Ads', 'demo@example.com', 'Facebook');
  await page.getByRole('link', { name: 'Open app' }).click();
  await page.getByRole('link', { name: 'Accounts and defaults' }).click();
  await expect(page).toHaveURL(/\/meta\/configuration$/);
  await page.getByRole('treeitem', { name: /Direct access/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(page.getByRole('treeitem', { name: /Northwind Group/ })).toHaveAttribute('aria-checked', 'true');
  await expect(page.getByRole('textbox', { name: 'Source name' })).toHaveValue('Northwind Group');
  await page.getByRole('button', { name: 'Create source' }).click();
  await expect(page.getByRole('heading', { name: 'Northwind Group' })).toBeVisible();

  await expect(page).toHaveURL(/\/source\/[^/]+\/meta\/configuration$/);
  await open(page, new URL(page.url()).pathname.replace('/meta/', '/google/'));
  await expect(page).toHaveURL(/\/meta\/configuration$/);
  const tables = page.getByRole('region', { name: 'Tables' });
  await expect(tables.getByText('meta_ads_ad_daily')).toBeVisible();
  await page.getByText('Campaign', { exact: true }).click();
  await expect(tables.getByText('meta_ads_ad_daily')).toHaveCount(0);
  await page.getByRole('checkbox', { name: '28d_click' }).uncheck();
  await page.getByRole('button', { name: 'Save source' }).click();
  await expect(page.getByText('Source saved, applies from the next run')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('checkbox', { name: '28d_click' })).not.toBeChecked();
  await expect(page.getByRole('radio', { name: 'Campaign' })).toBeChecked();
  await open(page, `/${organizationId}/source`);
  await expect(page.getByRole('link', { name: 'Northwind Group' })).toBeVisible();
});
