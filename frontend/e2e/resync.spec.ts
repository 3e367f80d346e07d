import { expect, test } from '@playwright/test';
import pg from 'pg';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { aLoadedConnection } from './support/backfills.ts';
import { openConnection } from './support/connections.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { createBigQuery } from './support/resources.ts';
import { open } from './support/steps.ts';

test('a connection that fails because of a changed column is healthy after a re-sync', async ({ page }) => {
  const prefix = newPrefix('sync');
  const table = `${prefix}google_ads_campaign_daily`;
  await openConnection(page, { prefix });

  const warehouse = new pg.Client({ connectionString: instance().warehouseUrl });
  await warehouse.connect();
  const countRows = async () =>
    (await warehouse.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count;
  const rows = await countRows();
  await warehouse.query(`alter table ${table} alter column conversions type integer using conversions::integer`);
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText('Failing', { exact: true }).first()).toBeVisible();

  const tabs = page.getByRole('navigation', { name: 'Connection' });
  await tabs.getByRole('link', { name: /Data/ }).click();
  await page.getByRole('button', { name: 'Re-sync campaign_daily' }).click();
  const dialog = page.getByRole('dialog', { name: 'Re-sync campaign_daily' });
  await expect(dialog.getByText(/account-days/)).toBeVisible();
  for (const size of SIZES)
    for (const colorScheme of SCHEMES) {
      await show(page, size, colorScheme);
      await expect(dialog).toBeVisible();
      expect(await overflowOf(page)).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      await page.screenshot({ path: test.info().outputPath(`dialog-${size.name}-${colorScheme}.png`) });
    }
  await dialog.getByRole('button', { name: 'Start re-sync' }).click();
  await expect(page.getByText('Re-sync started')).toBeVisible();
  await expect(page.getByText(/^Re-synced/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Earlier changes' }).getByText(/Fixed by a re-sync/)).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('done.png'), fullPage: true });
  expect(await countRows()).toBe(rows);
  await tabs.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  await warehouse.end();
});

test('a stream of a BigQuery destination is re-synced, and the dialog names the cost of the replacement', async ({ page }) => {
  const connection = await aLoadedConnection(page, newPrefix('resync'), createBigQuery);
  await open(page, connection.page);
  await page.getByRole('navigation', { name: 'Connection' }).getByRole('link', { name: /Data/ }).click();
  await page.getByRole('button', { name: 'Re-sync campaign_daily' }).click();
  const dialog = page.getByRole('dialog', { name: 'Re-sync campaign_daily' });
  await expect(dialog.getByText(/BigQuery bills the replacement/)).toBeVisible();
  await expect(dialog.getByText(/account-days/)).toBeVisible();
  for (const size of SIZES)
    for (const colorScheme of SCHEMES) {
      await show(page, size, colorScheme);
      expect([await overflowOf(page), await violationsOf(page)]).toEqual([0, []]);
      await page.screenshot({ path: test.info().outputPath(`bigquery-${size.name}-${colorScheme}.png`) });
    }
  await dialog.getByRole('button', { name: 'Start re-sync' }).click();
  await expect(page.getByText(/^Re-synced/)).toBeVisible();
});
