import { expect, test } from '@playwright/test';
import pg from 'pg';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { openConnection } from './support/connections.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';

test('the tab Data shows a changed table, and hashes a field on all days', async ({ page }) => {
  const prefix = newPrefix('data');
  const table = `${prefix}google_ads_campaign_daily`;
  await openConnection(page, { prefix });
  const tabs = page.getByRole('navigation', { name: 'Connection' });
  await tabs.getByRole('link', { name: 'Data' }).click();
  await expect(page.getByText('No changes yet', { exact: false })).toBeVisible();

  const warehouse = new pg.Client({ connectionString: instance().warehouseUrl });
  await warehouse.connect();
  const namesOf = async (pattern: string) =>
    (await warehouse.query(`select 1 from ${table} where campaign_name ~ $1 limit 1`, [pattern])).rowCount;
  const plain = '[^0-9a-f]';

  await page.getByRole('button', { name: 'Show fields of campaign_daily' }).click();
  await page.getByRole('checkbox', { name: 'Hash campaign_name of campaign_daily' }).check();
  await page.getByRole('button', { name: 'Save hashed fields' }).click();
  await expect(page.getByText('Hashed fields saved')).toBeVisible();
  await expect.poll(() => namesOf(plain)).toBe(0);
  await expect(page.getByText(/1 hashed/)).toBeVisible();

  await tabs.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  await warehouse.query(`alter table ${table} alter column conversions type integer using conversions::integer`);
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText('Failing', { exact: true }).first()).toBeVisible();
  await tabs.getByRole('link', { name: /Data/ }).click();
  const pending = page.getByRole('list', { name: 'Pending changes' });
  await expect(pending.getByText(`Columns of the table ${table} have another type`)).toBeVisible();
  await expect(pending.getByRole('button', { name: /Approve/ })).toHaveCount(0);

  for (const size of SIZES)
    for (const colorScheme of SCHEMES) {
      await show(page, size, colorScheme);
      await expect(pending).toBeVisible();
      expect(await overflowOf(page)).toBe(0);
      const showFields = page.getByRole('button', { name: 'Show fields of campaign_daily' });
      if (await showFields.isVisible()) await showFields.click();
      expect(await overflowOf(page)).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      await page.screenshot({ path: test.info().outputPath(`${size.name}-${colorScheme}.png`), fullPage: true });
    }

  await warehouse.query(`alter table ${table} alter column conversions type double precision`);
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByRole('list', { name: 'Earlier changes' }).getByText(/Undone/)).toBeVisible();
  await warehouse.end();
});

test('a new stream is approved, and policies are saved in the settings', async ({ page }) => {
  const prefix = newPrefix('data');
  await openConnection(page, { prefix });
  const tabs = page.getByRole('navigation', { name: 'Connection' });

  await tabs.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Schema changes' }).click();
  await page.getByRole('option', { name: 'Wait for approval' }).click();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  expect(await overflowOf(page)).toBe(0);

  // As after a release that adds a stream: the connection does not know it yet.
  const connectionId = /connection\/([^/]+)\//.exec(page.url())?.[1];
  const database = new pg.Client({ connectionString: instance().databaseUrl });
  await database.connect();
  await database.query(`update offered_schemas set streams = streams - 'keyword_daily' where connection_id = $1`, [connectionId]);
  await database.query(`update connections set streams = array_remove(streams, 'keyword_daily') where id = $1`, [connectionId]);
  await database.end();
  await page.getByRole('button', { name: 'Run now' }).click();
  await tabs.getByRole('link', { name: /Data/ }).click();
  await expect(page.getByText('Policy: Wait for approval.')).toBeVisible();
  const pending = page.getByRole('list', { name: 'Pending changes' });
  await expect(pending.getByText('New stream keyword_daily')).toBeVisible();
  for (const size of SIZES) {
    await show(page, size, SCHEMES[0]);
    await expect(pending).toBeVisible();
    expect(await overflowOf(page)).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath(`pending-${size.name}.png`), fullPage: true });
  }
  await pending.getByRole('button', { name: 'Approve: New stream keyword_daily' }).click();
  await expect(page.getByText('Change approved')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Earlier changes' }).getByText(/Approved by/)).toBeVisible();
});
