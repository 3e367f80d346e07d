import { expect, test } from '@playwright/test';
import pg from 'pg';
import { anOrganization, aPerson } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { createConnection, open, signIn } from './support/steps.ts';

async function countRows(table: string): Promise<number> {
  const warehouse = new pg.Client({ connectionString: instance().warehouseUrl });
  await warehouse.connect();
  const { rows } = await warehouse.query<{ count: number }>(`select count(*)::int as count from ${pg.escapeIdentifier(table)}`);
  await warehouse.end();
  return rows[0]?.count ?? 0;
}

test('one click loses rows and turns the connection red, one click repairs it', async ({ page }) => {
  const prefix = newPrefix('lost');
  const table = `${prefix}google_ads_campaign_daily`;
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await open(page, `/${organizationId}/createConnection`);
  await signIn(page, owner);
  await createConnection(page, { prefix, name: 'Search to warehouse' });
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  const loaded = await countRows(table);

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Lose rows (demo)' }).click();
  await expect(page.getByText('Failing', { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/\d+ rows missing in PostgreSQL/).first()).toBeVisible();
  expect(await countRows(table)).toBeLessThan(loaded);

  await page
    .getByRole('button', { name: /^(Run again|Repair)/ })
    .first()
    .click();
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  expect(await countRows(table)).toBe(loaded);
});
