import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { demo } from './support/instance.ts';
import { open, openAs, signIn } from './support/steps.ts';

/** Changes are never discarded without a decision of the user, and an error never leads to another page. */

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Discard unsaved changes?' });

async function openSettings(page: Page): Promise<string> {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/connection`);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed');
  return organizationId;
}

test('asks before a link, a shortcut or Back discards changes, and stays or leaves as decided', async ({ page }) => {
  await openSettings(page);
  const name = page.getByRole('textbox', { name: 'Name' });
  await page.getByRole('link', { name: 'Team' }).click();
  await dialog(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(name).toHaveValue('Typed');
  await page.goBack();
  await expect(dialog(page)).toBeVisible();
  await expect(page).toHaveURL(/\/settings/);
  await page.keyboard.press('Escape');
  await expect(name).toHaveValue('Typed');
  await page.getByRole('link', { name: 'Team' }).click();
  await dialog(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('region', { name: 'Members' }).getByText('(you)')).toBeVisible();
});

test('Escape and a click beside a dialog close it only before something is typed', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/connection`);
  const create = page.getByRole('dialog', { name: 'Create organization' });
  const openDialog = async () => {
    await page.getByRole('button', { name: 'Switch organization' }).click();
    await page.getByRole('menuitem', { name: 'Create organization' }).click();
    await expect(create).toBeVisible();
  };
  await openDialog();
  await page.keyboard.press('Escape');
  await expect(create).toHaveCount(0);

  await openDialog();
  await create.getByRole('textbox', { name: 'Company name' }).fill('Typed');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(create.getByRole('textbox', { name: 'Company name' })).toHaveValue('Typed');
  await create.getByRole('button', { name: 'Close' }).click();
  await expect(create).toHaveCount(0);
});

test('does not ask after a save, and warns before a reload', async ({ page }) => {
  await openSettings(page);
  let asked = 0;
  page.on('dialog', (shown) => {
    asked += 1;
    void shown.accept();
  });
  await page.reload();
  await expect.poll(() => asked).toBe(1);
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.getByRole('link', { name: 'Team' }).click();
  await expect(page.getByRole('region', { name: 'Members' }).getByText('(you)')).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
});

test('a page stays where it is while the API is down', async ({ page }) => {
  const { email, password, organizationId } = demo();
  await openAs(page, { email, password }, `/${organizationId}/connection`);
  await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
  await page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) if (name?.includes('cache')) indexedDB.deleteDatabase(name);
  });
  await page.route('**/api/getOrganizationData*', (route) => route.fulfill({ status: 503, body: 'Service unavailable' }));
  await page.reload();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('a connection opened from the list keeps its title and tabs when it cannot be loaded', async ({ page }) => {
  const { email, password, organizationId } = demo();
  await openAs(page, { email, password }, `/${organizationId}/connection`);
  const row = page.locator('tbody').getByRole('link').first();
  const name = (await row.textContent())!;
  await page.route(/\/connections\/[0-9a-f-]{36}$/, (route) => route.fulfill({ status: 500, body: '{}' }));
  await row.click();
  await expect(page.getByText('Couldn’t refresh this connection')).toBeVisible();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Coverage' })).toBeVisible();
});

test('a missing item inside the layout has one main, one logo and a heading', async ({ page }) => {
  const { email, password, organizationId } = demo();
  await openAs(page, { email, password }, `/${organizationId}/connection/00000000-0000-4000-8000-000000000000/configuration`);
  await expect(page.getByRole('heading', { name: 'Page not found', level: 1 })).toBeVisible();
  await expect(page.locator('main')).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Tributary, home' })).toHaveCount(0);
});

test('an unknown organization is named before another one opens', async ({ page }) => {
  const { email, password } = demo();
  await open(page, '/login');
  await signIn(page, { email, password });
  await expect(page).toHaveURL(/\/connection/);
  await open(page, '/00000000-0000-4000-8000-000000000000/connection');
  await expect(page.getByText('This organization does not exist, or you are not a member of it.')).toBeVisible();
});
