import { expect, test } from '@playwright/test';
import { anOrganization, aPerson, countOf } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { fillInWarehouse, open, signIn } from './support/steps.ts';

async function openForm(page: Parameters<typeof open>[0]) {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/destination/new/configuration?provider=postgresql`);
  await signIn(page, person);
  return { person, organizationId };
}

test('a wrong password names the step that failed and its one action, and saves nothing', async ({ page }) => {
  const { person, organizationId } = await openForm(page);
  await fillInWarehouse(page, 'not the password');
  await page.getByRole('button', { name: 'Add destination' }).click();
  const checks = page.getByRole('region', { name: 'Checks' });
  await expect(checks.getByRole('listitem').filter({ hasText: 'Credentials accepted: Failed' })).toContainText(/password/i);
  await expect(checks.getByText('Server reachable: Passed')).toBeVisible();
  await expect(checks.getByText('Can create tables: Not tried')).toBeVisible();
  await expect(page.getByRole('alert').first()).toBeVisible();
  expect(await countOf(person, organizationId, 'destinations')).toBe(0);
});

test('a host nobody listens on is told apart from a wrong password', async ({ page }) => {
  const { person, organizationId } = await openForm(page);
  await fillInWarehouse(page);
  await page.getByRole('textbox', { name: 'Port' }).fill('9');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('Server reachable: Failed')).toBeVisible();
  expect(await countOf(person, organizationId, 'destinations')).toBe(0);
});

test('a field left empty is named before anything is sent', async ({ page }) => {
  await openForm(page);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Host is needed')).toBeVisible();
});

test('a pasted connection URL fills in the form', async ({ page }) => {
  await openForm(page);
  await page.getByRole('textbox', { name: /Connection URL/ }).fill(`${instance().warehouseUrl}?sslmode=disable`);
  await expect(page.getByRole('textbox', { name: 'Database' })).toHaveValue('warehouse');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('Read-back matches: Passed')).toBeVisible();
});

test('a connection that is not encrypted is marked as a warning', async ({ page }) => {
  await openForm(page);
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const item = page.getByRole('region', { name: 'Checks' }).getByRole('listitem').filter({ hasText: 'Encryption: Warning' });
  await expect(item).toContainText('Not encrypted');
  await expect(item).toContainText('Turn on TLS at the server');
});

test('another port of a saved destination asks for the password again, and says why', async ({ page }) => {
  await openForm(page);
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('placeholder', /leave empty/);
  await page.getByRole('textbox', { name: 'Port' }).fill('9');
  await expect(page.getByText(/The saved password is only used for the saved server. Enter the password for/)).toBeVisible();
  await expect(password).not.toHaveAttribute('placeholder', /leave empty/);
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(page.getByText('Password is needed')).toBeVisible();
});

test('a destination that passes is saved, and shows each step of its check', async ({ page }) => {
  await openForm(page);
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByRole('heading', { name: 'Warehouse' })).toBeVisible();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  await expect(page.getByText('Read-back matches: Passed')).toBeVisible();
});
