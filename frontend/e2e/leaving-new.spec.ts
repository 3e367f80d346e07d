import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { connectSource, sources } from './support/pairs.ts';
import { allowAccess, fillInWarehouse, open, openAs } from './support/steps.ts';

/** The input of something new is not discarded without a decision of the user, unless a draft keeps it. */

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Discard unsaved changes?' });

async function start(page: Page, path: (organizationId: string) => string): Promise<string> {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, path(organizationId));
  return organizationId;
}

async function isKept(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sources', exact: true }).first().click();
  await dialog(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog(page)).toHaveCount(0);
}

async function isDiscarded(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sources', exact: true }).first().click();
  await dialog(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('heading', { name: 'Sources', level: 1 })).toBeVisible();
}

test('asks before a new destination is left, but not after it was added', async ({ page }) => {
  await start(page, (id) => `/${id}/destination/new/configuration?provider=postgresql`);
  await page.getByRole('textbox', { name: 'Host' }).fill('db.example.com');
  await isKept(page);
  await expect(page.getByRole('textbox', { name: 'Host' })).toHaveValue('db.example.com');
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
});

test('does not ask in the wizard, whose draft keeps the input', async ({ page }) => {
  const organizationId = await start(page, (id) => `/${id}/createConnection`);
  await connectSource(page, sources[0]!);
  await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
  await page.getByRole('textbox', { name: 'Host' }).fill('db.example.com');
  await page.getByRole('link', { name: 'Sources', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Sources', level: 1 })).toBeVisible();
  await open(page, `/${organizationId}/createConnection?step=destination`);
  await expect(page.getByRole('textbox', { name: 'Host' })).toHaveValue('db.example.com');
});

test('keeps the input through the sign-in of a new destination without a question', async ({ page }) => {
  await start(page, (id) => `/${id}/destination/new/configuration?provider=bigquery`);
  await page.getByRole('textbox', { name: 'Dataset' }).fill('marketing');
  await page.getByRole('radio', { name: /Sign in with Google/ }).check();
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await allowAccess(page);
  await expect(page).toHaveURL(/\/bigquery\?app=/);
  await expect(page.getByRole('textbox', { name: 'Dataset' })).toHaveValue('marketing');
  await expect(dialog(page)).toHaveCount(0);
});

test('asks before the accounts and the name of a new source are left, but not after it was created', async ({ page }) => {
  await start(page, () => '/addSource');
  await page.getByRole('button', { name: 'Connect Google Ads' }).click();
  await allowAccess(page, 'demo@example.com');
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  // The generated name and the suggested accounts are no input.
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Connect Google Ads' })).toBeVisible();
  await page.goForward();
  await page.getByRole('checkbox', { name: 'All accounts' }).uncheck();
  await page.getByRole('treeitem').filter({ hasText: 'Northwind DE' }).first().click();
  await page.goBack();
  await dialog(page).getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('textbox', { name: 'Source name' }).fill('Germany');
  await page.getByRole('button', { name: 'Continue with 1 account' }).click();
  await expect(page.getByRole('heading', { name: 'Google Ads is connected' })).toBeVisible();
  await page.getByRole('link', { name: 'Open source' }).click();
  await expect(page.getByRole('heading', { name: 'Germany', level: 1 })).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
});

test('asks before a new payment is left', async ({ page }) => {
  await start(page, (id) => `/${id}/payment/new/configuration`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Book sales');
  await page.getByRole('radio', { name: 'Email' }).check();
  await isKept(page);
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Book sales');
  await isDiscarded(page);
});

test('asks before a new webhook or API key is left', async ({ page }) => {
  const organizationId = await start(page, (id) => `/${id}/settings?tab=webhooks`);
  const form = page.getByRole('region', { name: 'New webhook' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Pager');
  await form.getByRole('textbox', { name: 'URL' }).fill('https://example.com/hook');
  await isKept(page);
  await expect(form.getByRole('textbox', { name: 'URL' })).toHaveValue('https://example.com/hook');
  await isDiscarded(page);
  await open(page, `/${organizationId}/settings?tab=api-keys`);
  await page.getByRole('region', { name: 'New key' }).getByRole('textbox', { name: 'Name' }).fill('dbt');
  await isDiscarded(page);
});

test('asks before a new organization is left, but not after it was created', async ({ page }) => {
  await openAs(page, await aPerson(), '/onboarding');
  const name = page.getByRole('textbox', { name: 'Company name' });
  const leave = async () => {
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
  };
  await name.fill('Northwind');
  await leave();
  await dialog(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(name).toHaveValue('Northwind');
  await leave();
  await dialog(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(page).toHaveURL(/\/account$/);
  await page.goBack();
  await name.fill('Northwind');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await expect(page.getByRole('heading', { name: 'What do you want to do?' })).toBeVisible();
  await leave();
  await expect(page).toHaveURL(/\/account$/);
  await expect(dialog(page)).toHaveCount(0);
  // The organization exists, so the form for the first one is not offered again.
  await page.goBack();
  await expect(page).toHaveURL(/\/connection$/);
  await expect(page.getByText('No connections yet')).toBeVisible();
});

test('creates one organization and opens it, also when the list of organizations cannot be refreshed', async ({ page }) => {
  const person = await aPerson();
  await anOrganization(person, 'Northwind');
  await openAs(page, person, '/organizations');
  const created: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/createOrganization')) created.push(request.url());
  });
  const { promise, resolve } = Promise.withResolvers<null>();
  await page.getByRole('button', { name: 'Create organization' }).click();
  const form = page.getByRole('dialog', { name: 'Create organization' });
  await form.getByRole('textbox', { name: 'Company name' }).fill('Southwind');
  await page.route('**/api/getOrganizationIds*', async (route) => {
    await promise;
    await route.fulfill({ status: 503, body: 'Service unavailable' });
  });
  await form.getByRole('button', { name: 'Create organization' }).click();
  await expect.poll(() => created.length).toBe(1);
  await page.keyboard.press('Enter');
  await expect(form.getByRole('button', { name: 'Create organization' })).toBeDisabled();
  resolve(null);
  await expect(page.getByText('No connections yet')).toBeVisible();
  await expect(form).toHaveCount(0);
  expect(created).toHaveLength(1);
});
