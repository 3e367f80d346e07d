import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { anOrganization, aPerson, countOf } from './support/calls.ts';
import { demo, instance } from './support/instance.ts';
import { allowAccess, openAs } from './support/steps.ts';

async function openForm(page: Page, provider: 'bigquery' | 'mixpanel') {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/destination/new/configuration?provider=${provider}`);
  return { person, organizationId };
}

async function keyOf(name: string): Promise<string> {
  const answer = await fetch(`${instance().sandboxUrl}/admin/bigquery/service-account?name=${name}`);
  return answer.text();
}

/** Chooses a key file from the disk. */
async function chooseKey(page: Page, name: string): Promise<void> {
  const buffer = Buffer.from(await keyOf(name));
  await page.locator('input[type=file]').setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer });
  await expect(page.getByText(`Key of ${name}@`)).toBeVisible();
}

async function fillInProject(page: Page, secret = 'sandbox-loader-secret'): Promise<void> {
  await page.getByRole('textbox', { name: 'Project ID' }).fill('3100001');
  await page.getByRole('combobox', { name: 'Data residency' }).click();
  await page.getByRole('option', { name: 'US' }).click();
  await page.getByRole('textbox', { name: 'Service account' }).fill('loader.f5a1c2.mp-service-account');
  await page.getByLabel('Secret', { exact: true }).fill(secret);
}

test('rejects an incomplete key file at its field and sends nothing', async ({ page }) => {
  const { person, organizationId } = await openForm(page, 'bigquery');
  await page.getByRole('textbox', { name: /Service account key/ }).fill((await keyOf('loader')).slice(0, 200));
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('This is not JSON')).toBeVisible();
  await expect(page.getByText('Enter a dataset')).toBeVisible();
  expect(await countOf(person, organizationId, 'destinations')).toBe(0);
});

test('marks the missing role of an account without write permission', async ({ page }) => {
  await openForm(page, 'bigquery');
  await chooseKey(page, 'viewer');
  await page.getByRole('textbox', { name: 'Dataset' }).fill('kinds_viewer');
  await page.getByRole('button', { name: 'Test connection' }).click();
  const roles = page.getByRole('list', { name: 'Required roles' });
  await expect(roles.getByText('BigQuery Data Editor').locator('..')).toContainText('Missing');
});

test('saves a BigQuery destination with a key file, shows all roles as granted and no written tables', async ({ page }) => {
  await openForm(page, 'bigquery');
  await chooseKey(page, 'loader');
  await expect(page.getByRole('textbox', { name: 'Project id' })).toHaveValue('northwind-marketing');
  await page.getByRole('textbox', { name: 'Dataset' }).fill('kinds');
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByRole('heading', { name: 'BigQuery', level: 1 })).toBeVisible();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  const roles = page.getByRole('list', { name: 'Required roles' });
  await expect(roles.getByText(': Granted')).toHaveCount(2);
  await expect(page.getByText('No data written yet. No connection uses this destination.')).toBeVisible();
  // Changed settings are checked with the stored key.
  await page.getByRole('textbox', { name: 'Dataset' }).fill('kinds_elsewhere');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('9 of 9')).toBeVisible();
});

test('keeps the input and selects the app after the sign-in with Google', async ({ page }) => {
  await openForm(page, 'bigquery');
  await page.getByRole('textbox', { name: 'Dataset' }).fill('kinds_signed_in');
  await page.getByRole('radio', { name: /Sign in with Google/ }).check();
  await expect(page.getByRole('button', { name: 'Add destination' })).toBeDisabled();
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await allowAccess(page, 'demo@example.com');
  await expect(page).toHaveURL(/\/bigquery\?app=/);
  await expect(page.getByRole('radio', { name: /Already connected/ })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Dataset' })).toHaveValue('kinds_signed_in');
  await page.getByRole('textbox', { name: 'Project id' }).fill('northwind-marketing');
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  await page
    .getByRole('link', { name: /demo@example.com|BigQuery/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/app\//);
});

test('a wrong Mixpanel secret fails the first step and saves nothing', async ({ page }) => {
  const { person, organizationId } = await openForm(page, 'mixpanel');
  await fillInProject(page, 'not the secret');
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Credentials accepted: Failed')).toBeVisible();
  expect(await countOf(person, organizationId, 'destinations')).toBe(0);
});

test('explains the restatement modes of Mixpanel and sends a test event', async ({ page }) => {
  await openForm(page, 'mixpanel');
  await expect(page.getByRole('radio', { name: 'Send a delta' })).toBeChecked();
  await expect(page.getByText('A changed row sends the exact difference')).toBeVisible();
  await fillInProject(page);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(page.getByText('Test event arrives: Passed')).toBeVisible();
});

/** The row count from the database. */
async function countRows(table: string): Promise<string> {
  const database = new pg.Client({ connectionString: instance().warehouseUrl });
  await database.connect();
  const { rows } = await database.query<{ count: string }>(`select count(*) from ${table}`);
  await database.end();
  return Number(rows[0]?.count).toLocaleString('en-US');
}

test('lists each written table with its row count', async ({ page }) => {
  const { organizationId, email, password } = demo();
  await openAs(page, { email, password }, `/${organizationId}/destination`);
  await page.getByRole('link', { name: 'Warehouse' }).click();
  for (const table of ['google_ads_campaign_daily', 'google_ads_ad_group_daily'])
    await expect(async () => {
      await page.reload();
      const row = page.getByRole('row').filter({ has: page.getByText(table, { exact: true }) });
      await expect(row).toContainText(await countRows(table), { timeout: 10_000 });
    }).toPass();
});

for (const provider of ['bigquery', 'mixpanel'] as const)
  test(`adds a ${provider} destination with the key of the demo`, async ({ page }) => {
    const { person, organizationId } = await openForm(page, provider);
    await page.getByRole('button', { name: 'Use this demo’s key' }).click();
    await expect(page.getByRole('textbox', { name: /^Project id$/i })).not.toHaveValue('');
    await page.getByRole('button', { name: 'Add destination' }).click();
    await expect(page.getByText('Ready', { exact: true })).toBeVisible();
    expect(await countOf(person, organizationId, 'destinations')).toBe(1);
  });
