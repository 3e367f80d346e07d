import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { demo } from './support/instance.ts';
import { enter } from './support/keyboard.ts';
import { allowAccess, open, openAs, signIn } from './support/steps.ts';

async function openList(page: Page) {
  const { email, password, organizationId } = demo();
  await openAs(page, { email, password }, `/${organizationId}/connection`);
  await expect(page.getByText('sorted by severity')).toBeVisible();
}

const main = (page: Page) => page.getByRole('main');
const heading = (page: Page, name?: string) => main(page).getByRole('heading', { level: 1, name });
const link = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

test('the focus moves to the heading of each page that the keyboard opens', async ({ page }) => {
  await openList(page);
  await expect(heading(page)).not.toBeFocused();
  await enter(page, link(page, 'Sources'));
  await expect(heading(page, 'Sources')).toBeFocused();
  await expect(page).toHaveTitle('Sources · Tributary');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(heading(page, 'Destinations')).toBeFocused();

  // The next stop is in the page, not in the navigation before it.
  await expect(main(page).getByRole('link', { name: 'Warehouse' }).first()).toBeVisible();
  await expect(heading(page, 'Destinations')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(main(page).locator(':focus')).toHaveCount(1);
  await enter(page, main(page).getByRole('link', { name: 'Warehouse' }).first());
  await expect(page).toHaveURL(/\/configuration$/);
  await expect(heading(page)).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(heading(page, 'Destinations')).toBeFocused();

  // To a page with another layout.
  await page.getByRole('button', { name: /Account menu/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Your account' }).press('Enter');
  await expect(page).toHaveURL(/\/account$/);
  await expect(heading(page)).toBeFocused();
});

test('the home page leads on without a ring around the heading', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/source`);
  await expect(heading(page, 'Sources')).toBeVisible();
  await open(page, '/');
  await expect(heading(page, 'Connections')).toBeVisible();
  await expect(page.getByText('No connections yet')).toBeVisible();
  await expect(heading(page)).not.toBeFocused();
});

test('a click moves the focus without a ring', async ({ page }) => {
  await openList(page);
  await main(page).locator('tbody').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/configuration$/);
  await expect(heading(page)).toBeFocused();
  expect(await heading(page).evaluate((element) => element.matches(':focus-visible'))).toBe(false);
  expect(await heading(page).evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none');
});

test('the focus stays on a tab of the same page, and in an open dialog', async ({ page }) => {
  await openList(page);
  await enter(page, main(page).locator('tbody').getByRole('link').first());
  await expect(heading(page)).toBeFocused();
  const tab = main(page).getByRole('link', { name: 'Runs', exact: true });
  await enter(page, tab);
  await expect(page).toHaveURL(/tab=runs/);
  await expect(main(page).getByRole('table').first()).toBeVisible();
  await expect(tab).toBeFocused();

  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('dialog', { name: 'Search or jump to' }).getByRole('combobox');
  await expect(field).toBeFocused();
  await page.goBack();
  await expect(page.getByText('sorted by severity')).toBeVisible();
  await expect(field).toBeFocused();
});

test('the focus moves to the heading of the pages for signing in, and is left alone after a sign-in', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, '/login');
  await expect(heading(page, 'Sign in')).not.toBeFocused();
  await enter(page, main(page).getByRole('link', { name: 'Create account' }));
  await expect(heading(page, 'Create your account')).toBeFocused();
  await page.goBack();
  await expect(heading(page, 'Sign in')).toBeFocused();
  await enter(page, main(page).getByRole('link', { name: 'Forgot password?' }));
  await expect(page).toHaveURL(/\/forgotPassword$/);
  await expect(heading(page)).toBeFocused();
  await page.goBack();
  await signIn(page, person);
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/`));
  await expect(heading(page)).toBeVisible();
  await expect(heading(page)).not.toBeFocused();
});

test('the focus moves to the heading of the landing page of a sign-in', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/createConnection`);
  await page.getByRole('button', { name: 'Connect Google Ads' }).click();
  await allowAccess(page);
  await expect(heading(page, 'Choose ad accounts')).toBeFocused();
});
