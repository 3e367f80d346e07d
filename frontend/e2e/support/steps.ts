import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { Person } from './calls.ts';
import { instance, warehouse } from './instance.ts';

/** What a person does, in the words of the screens. */

export const open = (page: Page, path: string) => page.goto(new URL(path, instance().url).href);

export async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

export async function signUp(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Guest');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('three small rivers');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).not.toHaveURL(/\/signUp/);
}

/** Says yes on the sandbox's consent page. */
export async function allowAccess(page: Page, user?: string): Promise<void> {
  await expect(page.getByText('Sandbox: this is not Google')).toBeVisible();
  if (user) await page.locator(`input[name=user][value="${user}"]`).check();
  await page.getByRole('button', { name: 'Allow' }).click();
}

export async function denyAccess(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Deny' }).click();
}

export async function fillInWarehouse(page: Page, password = warehouse().password): Promise<void> {
  const { host, port, database, user } = warehouse();
  await page.getByRole('textbox', { name: 'Host' }).fill(host);
  await page.getByRole('textbox', { name: 'Port' }).fill(port);
  await page.getByRole('textbox', { name: 'Database' }).fill(database);
  await page.getByRole('textbox', { name: 'User' }).fill(user);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/** Source, destination, settings, review: a connection that loads the last 30 days. */
export async function createConnection(
  page: Page,
  { user, prefix, name }: { user?: string; prefix: string; name: string },
): Promise<void> {
  await page.getByRole('button', { name: 'Connect Google Ads' }).click();
  await allowAccess(page, user);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  await page.getByRole('button', { name: /^Use \d+ account/ }).click();
  await fillInWarehouse(page);
  await page.getByRole('textbox', { name: 'Table prefix' }).fill(prefix);
  await page.getByRole('button', { name: 'Check and go on' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByText('30 days', { exact: true }).click();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}
