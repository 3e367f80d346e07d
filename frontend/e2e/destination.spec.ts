import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson, countOf } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { fillInWarehouse, openAs } from './support/steps.ts';

async function openForm(page: Page) {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/destination/new/configuration?provider=postgresql`);
  return { person, organizationId };
}

test('shows the failed step and its action for a wrong password, and saves nothing', async ({ page }) => {
  const { person, organizationId } = await openForm(page);
  await fillInWarehouse(page, 'not the password');
  await page.getByRole('button', { name: 'Add destination' }).click();
  const checks = page.getByRole('region', { name: 'Checks' });
  await expect(checks.getByRole('listitem').filter({ hasText: 'Credentials accepted: Failed' })).toContainText(/password/i);
  await expect(checks.getByText('Server reachable: Passed')).toBeVisible();
  await expect(checks.getByText('Can create tables: Skipped')).toBeVisible();
  await expect(page.getByRole('alert').first()).toBeVisible();
  expect(await countOf(person, organizationId, 'destinations')).toBe(0);
});

test('distinguishes an unreachable server from a wrong password', async ({ page }) => {
  const { person, organizationId } = await openForm(page);
  await fillInWarehouse(page);
  await page.getByRole('textbox', { name: 'Port' }).fill('9');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Server reachable: Failed')).toBeVisible();
  expect(await countOf(person, organizationId, 'destinations')).toBe(0);
});

test('has test and save on one line in view, marks the failed field, and shows an error once', async ({ page }) => {
  await openForm(page);
  await fillInWarehouse(page);
  const port = page.getByRole('textbox', { name: 'Port' });
  await port.fill('9');
  const [testButton, save] = [
    page.getByRole('button', { name: 'Test connection' }),
    page.getByRole('button', { name: 'Add destination' }),
  ];
  await page.evaluate(() => scrollTo(0, 0));
  const [first, second] = [await testButton.boundingBox(), await save.boundingBox()];
  expect(second?.y).toBe(first?.y);
  await expect(save).toBeInViewport();
  await testButton.click();
  await expect(port).toHaveAttribute('aria-invalid', 'true');

  await page.route('**/destinations/check', (route) => route.abort());
  await testButton.click();
  await expect(page.getByText('Tributary could not be reached.')).toHaveCount(1);
});

test('names an empty required field before sending', async ({ page }) => {
  await openForm(page);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Enter a host')).toBeVisible();
});

test('fills in the form from a pasted connection URL', async ({ page }) => {
  await openForm(page);
  await page.getByRole('textbox', { name: /Connection URL/ }).fill(`${instance().warehouseUrl}?sslmode=disable`);
  await expect(page.getByRole('textbox', { name: 'Database' })).toHaveValue('warehouse');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Can read back rows: Passed')).toBeVisible();
});

test('shows a warning for an unencrypted connection', async ({ page }) => {
  await openForm(page);
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Test connection' }).click();
  const item = page
    .getByRole('region', { name: 'Checks' })
    .getByRole('listitem')
    .filter({ hasText: 'TLS as configured: Warning' });
  await expect(item).toContainText('Not encrypted');
  await expect(item).toContainText('Enable TLS on the server');
});

test('requires the password again for another port of a saved destination, with the reason', async ({ page }) => {
  await openForm(page);
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('placeholder', /Leave empty/);
  await page.getByRole('textbox', { name: 'Port' }).fill('9');
  await expect(page.getByText(/The saved password only works with the saved server. Enter the password for/)).toBeVisible();
  await expect(password).not.toHaveAttribute('placeholder', /Leave empty/);
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(page.getByText('Enter a password')).toBeVisible();
});

test('saves a destination that passes the check and shows the steps', async ({ page }) => {
  await openForm(page);
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByRole('heading', { name: 'Warehouse' })).toBeVisible();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  await expect(page.getByText('Can read back rows: Passed')).toBeVisible();
});

test('creates one destination for a double click and repeated Enter keys', async ({ page }) => {
  const { person, organizationId } = await openForm(page);
  await fillInWarehouse(page);
  let sent = 0;
  const isAnswered = Promise.withResolvers<null>();
  await page.route(/\/destinations$/, async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1;
      await isAnswered.promise;
    }
    await route.continue();
  });
  const save = page.getByRole('button', { name: 'Add destination' });
  await save.dblclick();
  await page.getByRole('textbox', { name: 'Host' }).press('Enter');
  await page.getByRole('textbox', { name: 'Host' }).press('Enter');
  await expect(save).toHaveAttribute('data-loading', 'true');
  isAnswered.resolve(null);
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  expect(sent).toBe(1);
  expect(await countOf(person, organizationId, 'destinations')).toBe(1);
});
