import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { slowGoogle } from './support/calls.ts';
import { sources } from './support/pairs.ts';
import { newPrefix } from './support/prefixes.ts';
import { createConnection, open } from './support/steps.ts';

test('loads rows from sign-up to the warehouse, shows progress and verifies the rows', async ({ page }) => {
  await open(page, '/');
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByLabel('Full name').fill('Owner');
  await page.getByLabel('Email').fill(`owner-${randomUUID()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('three small rivers');
  await page.getByRole('button', { name: 'Create account' }).click();

  await expect(page).toHaveURL(/\/onboarding$/);
  await page.getByLabel('Company name').fill('Northwind');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('button', { name: /Try with sample data/ }).click();

  const name = 'Search to warehouse';
  await createConnection(page, { prefix: newPrefix('main'), name });

  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();

  // The proof of the first run.
  const proof = page.getByRole('main').getByRole('region', { name: 'Verification' });
  await expect(proof.getByText(/^([\d,]+) rows read from Google Ads = \1 rows found in PostgreSQL$/)).toBeVisible();
  await expect(proof.getByText('Match').first()).toBeVisible();

  const endSlowness = await slowGoogle(sources[0]!.accountId);
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByRole('progressbar', { name: 'Run' })).toHaveAttribute('aria-valuetext', /%/);
  await endSlowness();
  await expect(page.getByRole('progressbar', { name: 'Run' })).toHaveCount(0);
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();

  const tabs = page.getByRole('navigation', { name: 'Connection' });
  await tabs.getByRole('link', { name: 'Runs' }).click();
  await expect(page.getByText('Source and destination match')).toHaveCount(2);
  await page.getByRole('table').getByRole('link').first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('heading', { name: 'Verification' })).toBeVisible();
  await expect(drawer.getByText('Match').first()).toBeVisible();
  await expect(drawer.getByText(/missing|extra|differs/)).toHaveCount(0);
  // The proof first, then how long each step took.
  await expect(drawer.getByRole('heading', { level: 2 }).nth(1)).toHaveText('Verification');
  await expect(drawer.getByRole('listitem').filter({ hasText: /^Extract/ })).toHaveText(/\d (ms|s)$/);
  await drawer.getByRole('tab', { name: 'Requests' }).click();
  await expect(drawer.getByText(/searchStream/).first()).toBeVisible();
  await expect(page).toHaveURL(/details=requests/);
  await page.reload();
  await expect(drawer.getByText(/searchStream/).first()).toBeVisible();
  await page.keyboard.press('Escape');

  await tabs.getByRole('link', { name: 'Coverage' }).click();
  await expect(page.getByText(/^(\d+) of \1$/)).toBeVisible();

  await page.getByRole('link', { name: 'Connections', exact: true }).first().click();
  await expect(page.getByRole('link', { name })).toBeVisible();
  await expect(page.getByText('Every row verified')).toBeVisible();
});
