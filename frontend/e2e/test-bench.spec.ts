import { expect, test } from '@playwright/test';
import pg from 'pg';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { openConnection } from './support/connections.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';

/** Tables, columns, comments and rows. A row that is deleted and inserted again has another xmin. */
async function contentOf(prefix: string): Promise<unknown> {
  const warehouse = new pg.Client({ connectionString: instance().warehouseUrl });
  await warehouse.connect();
  const { rows: tables } = await warehouse.query<{ name: string }>(
    `select c.oid, c.relname as name, c.relfilenode, obj_description(c.oid) as comment,
            (select json_agg(json_build_array(a.attname, a.atttypid, col_description(c.oid, a.attnum)) order by a.attnum)
               from pg_attribute a where a.attrelid = c.oid) as columns
       from pg_class c where relkind = 'r' and relname like $1 order by relname`,
    [`${prefix}%`],
  );
  const rows: unknown[] = [];
  for (const { name } of tables) rows.push((await warehouse.query(`select ctid, xmin, t.* from "${name}" t order by ctid`)).rows);
  await warehouse.end();
  return { tables, rows };
}

test('shows checks, sample and requests, and leaves the warehouse unchanged', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const prefix = newPrefix('bench');
  await openConnection(page, { prefix });
  const before = await contentOf(prefix);

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Test bench' }).click();
  await expect(page).toHaveURL(/\/test1$/);
  await page.getByRole('button', { name: 'Run test' }).click();
  await expect(page.getByRole('status', { name: 'Checking' })).toContainText('Preview the write');

  const source = page.getByRole('region', { name: 'Source: Google Ads' });
  await expect(source.getByText('Rows read')).toBeVisible();
  const destination = page.getByRole('region', { name: 'Destination: PostgreSQL' });
  await expect(destination.getByText('Write previewed')).toBeVisible();
  await expect(destination.getByText(/Not tested, because this check writes nothing/).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'First rows, as a table' }).getByRole('row').nth(1)).toBeVisible();

  const tabs = page.getByRole('navigation', { name: 'Results' });
  await tabs.getByRole('link', { name: 'JSON' }).click();
  await expect(page.getByRole('region', { name: 'rows as JSON' })).toContainText('"account_id"');
  await tabs.getByRole('link', { name: 'Requests' }).click();
  await expect(page.getByText(/POST .*googleAds:searchStream/).first()).toBeVisible();
  await tabs.getByRole('link', { name: 'Write preview' }).click();
  const preview = page.getByRole('list', { name: 'Write preview' });
  await expect(preview.getByText('Delete changed and removed rows')).toBeVisible();
  await preview.getByRole('button', { name: 'Copy text of step 2', exact: true }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('BEGIN');

  expect(await contentOf(prefix)).toEqual(before);
  for (const tab of ['Table', 'Requests', 'Write preview']) {
    await tabs.getByRole('link', { name: tab }).click();
    for (const size of SIZES)
      for (const colorScheme of SCHEMES) {
        await show(page, size, colorScheme);
        expect.soft(await violationsOf(page), `${tab} ${size.name} ${colorScheme}`).toEqual([]);
        expect.soft(await overflowOf(page), `${tab} ${size.name} ${colorScheme}`).toBe(0);
        await page.screenshot({ path: test.info().outputPath(`${tab}-${size.name}-${colorScheme}.png`) });
      }
  }
});

test('shows a failed end with its action, and still tests the other one', async ({ page }) => {
  const prefix = newPrefix('bench');
  await openConnection(page, { prefix });
  const warehouse = new pg.Client({ connectionString: instance().warehouseUrl });
  await warehouse.connect();
  await warehouse.query(`alter table "${prefix}google_ads_campaign_daily" alter column clicks type text`);
  await warehouse.end();

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Test bench' }).click();
  await page.getByRole('button', { name: 'Run test' }).click();
  const destination = page.getByRole('region', { name: 'Destination: PostgreSQL' });
  await expect(destination.getByText('Undo the change, or choose another table prefix')).toBeVisible();
  await expect(page.getByRole('region', { name: 'First rows, as a table' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Results' }).getByRole('link', { name: 'Write preview' }).click();
  await expect(page.getByText('The write could not be previewed.')).toBeVisible();
});
