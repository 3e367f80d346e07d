import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { violationsOf } from './support/accessibility.ts';
import { aMember, anOrganization, aPerson } from './support/calls.ts';
import type { Person } from './support/calls.ts';
import { open, signIn } from './support/steps.ts';
import { Totp } from './support/totp.ts';

const CODE = 'Code from the app';

async function setUp(page: Page, totp: Totp): Promise<void> {
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
  await expect(page.getByLabel(CODE)).toBeVisible();
  await page.getByLabel(CODE).fill(totp.code());
  await page.getByRole('button', { name: 'Enable two-step sign-in' }).click();
  await expect(page.getByText(/^Enabled with an authenticator app since/)).toBeVisible();
}

async function enterPassword(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
}

test('reports that two-step sign-in is not enabled on the instance', async ({ page, context }) => {
  const totp = await Totp.on(context);
  totp.isOn = false;
  await open(page, '/account');
  await signIn(page, await aPerson());
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
  await expect(page.getByRole('alert')).toHaveText('This is not enabled on this instance. Ask its operator.');
});

test('a user sets up two-step sign-in, signs in with it, and removes it', async ({ page, context }) => {
  const totp = await Totp.on(context);
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, '/account');
  await signIn(page, person);
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
  await expect(page.getByRole('link', { name: 'open your authenticator app' })).toHaveAttribute(
    'href',
    /^otpauth:\/\/totp\/Tributary:.+secret=[A-Z2-7]{32}&issuer=Tributary/,
  );
  expect.soft(await violationsOf(page)).toEqual([]);
  if (process.env.E2E_PICTURES) await page.screenshot({ path: `${process.env.E2E_PICTURES}/set-up.png` });
  await page.getByLabel(CODE).fill(totp.wrongCode());
  await page.getByRole('button', { name: 'Enable two-step sign-in' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The code is wrong' })).toBeVisible();
  await page.getByLabel(CODE).fill(totp.code());
  await page.getByRole('button', { name: 'Enable two-step sign-in' }).click();
  await expect(page.getByText(/^Enabled with an authenticator app since/)).toBeVisible();

  await signOut(page);
  await enterPassword(page, person);
  await expect(page.getByText('Lost your device? Ask the operator of this instance')).toBeVisible();
  await expect(page.getByLabel('Code')).toBeFocused();
  expect.soft(await violationsOf(page)).toEqual([]);
  if (process.env.E2E_PICTURES) await page.screenshot({ path: `${process.env.E2E_PICTURES}/code.png` });
  await page.getByLabel('Code').fill(totp.wrongCode());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The code is wrong' })).toBeVisible();
  totp.hasExpired = true;
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'This step has expired. Start again.' })).toBeVisible();
  totp.hasExpired = false;
  await page.getByRole('button', { name: 'Start again' }).click();
  await enterPassword(page, person);
  await page.getByLabel('Code').fill(totp.code());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));

  await open(page, '/account');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove two-step sign-in' }).click();
  await expect(page.getByRole('button', { name: 'Set up two-step sign-in' })).toBeVisible();
});

test('an admin has to set up two-step sign-in when the owner requires it', async ({ page, context, browser }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const admin = await aMember(owner, organizationId, 'admin');
  const totp = await Totp.on(context);
  await open(page, `/${organizationId}/settings?tab=security`);
  await signIn(page, owner);
  const required = page.getByRole('switch', { name: 'Require for owners and admins' });
  await expect(required).toBeDisabled();
  await page.getByRole('link', { name: 'set up two-step sign-in for yourself' }).click();
  await setUp(page, totp);
  await open(page, `/${organizationId}/settings?tab=security`);
  await required.click();
  await expect(required).toBeChecked();

  const other = await browser.newContext();
  const theirs = await Totp.on(other);
  const adminPage = await other.newPage();
  await open(adminPage, `/${organizationId}/connection`);
  await signIn(adminPage, admin);
  await expect(adminPage.getByRole('heading', { name: 'Two-step sign-in is required' })).toBeVisible();
  await expect(adminPage.getByText('Northwind requires its owners and admins')).toBeVisible();
  expect.soft(await violationsOf(adminPage)).toEqual([]);
  if (process.env.E2E_PICTURES) await adminPage.screenshot({ path: `${process.env.E2E_PICTURES}/required.png` });
  await adminPage.getByRole('link', { name: 'Set up two-step sign-in' }).click();
  await setUp(adminPage, theirs);
  await open(adminPage, `/${organizationId}/settings?tab=team`);
  await expect(adminPage.getByRole('region', { name: 'Members' }).getByText(owner.email)).toBeVisible();
  await other.close();
});
