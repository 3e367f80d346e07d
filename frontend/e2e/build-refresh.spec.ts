import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { open, signIn } from './support/steps.ts';

/** Serves a newer build and triggers the poll of the page. */
async function serveNewerBuild(page: Page): Promise<void> {
  await page.route('**/builds/latest.json', (route) => route.fulfill({ json: { build: 'newer' } }));
  await page.evaluate(() => {
    document.documentElement.dataset.loadedBefore = 'yes';
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect(page.getByText('A new version is available')).toBeVisible();
}

const isSameLoad = (page: Page) => page.evaluate(() => document.documentElement.dataset.loadedBefore === 'yes');

test('offers a newer build, keeps unsaved input and loads the next page from the newer build', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/settings`);
  await signIn(page, person);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Northwind Traders');
  await serveNewerBuild(page);
  await expect(name).toHaveValue('Northwind Traders');
  expect(await isSameLoad(page)).toBe(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect.poll(() => isSameLoad(page).catch(() => true)).toBe(false);
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/app$`));
});

test('loads the newer build when the user accepts the offer', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/app`);
  await signIn(page, person);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await serveNewerBuild(page);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => isSameLoad(page).catch(() => true)).toBe(false);
});
