import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { aLoadedConnection, dayOf, query } from './support/backfills.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { open } from './support/steps.ts';

const sheetOf = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Verification' });
const count = (value: string | number | undefined) => Number(value).toLocaleString('en-US');
const warehouse = <Row extends object>(text: string) => query<Row>(instance().warehouseUrl, text);

interface Stored {
  rows: string;
  cost: string;
  clicks: string;
}

const euros = (micros: string) =>
  (Number(micros) / 1e6).toLocaleString('en-US', { style: 'currency', currency: 'EUR', currencyDisplay: 'narrowSymbol' });

test('the proof of a run is shown, shared and printed, and missing rows are repaired from it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const connection = await aLoadedConnection(page, newPrefix('proof'));
  const table = `${connection.prefix}google_ads_campaign_daily`;
  const trigger = `${connection.prefix}lose`;
  const [stored] = await warehouse<Stored>(
    `select count(*)::text as rows, sum(cost_micros)::text as cost, sum(clicks)::text as clicks from ${table}`,
  );
  await open(page, connection.page);
  const sheet = sheetOf(page);
  await expect(sheet).toContainText(
    `${count(stored?.rows)} rows read from Google Ads = ${count(stored?.rows)} rows found in PostgreSQL`,
  );
  const line = sheet.getByRole('row').filter({ hasText: 'Northwind DE' });
  await expect(line).toContainText(`${count(stored?.clicks)} clicks`);
  await expect(line.getByRole('cell', { name: euros(stored?.cost ?? ''), exact: true })).toHaveCount(2);
  await expect(line).toContainText('Match');
  await expect(sheet).toContainText(/Compared .* The comparison took \d+ (ms|s)/);

  for (const size of SIZES)
    for (const scheme of SCHEMES) {
      await show(page, size, scheme);
      expect.soft(await violationsOf(page), `${size.name} ${scheme}`).toEqual([]);
      expect.soft(await overflowOf(page), `${size.name} ${scheme} scrolls horizontally`).toBe(0);
    }

  await sheet.getByRole('button', { name: 'Copy link' }).click();
  await expect(sheet.getByRole('button', { name: 'Copied' })).toBeVisible();
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
  const shared = page.getByRole('dialog').getByRole('region', { name: 'Verification' });
  await expect(shared).toContainText('rows found in PostgreSQL');

  // Only the sheet is printed, from the dialog and from the page, with the name of the connection.
  await page.emulateMedia({ media: 'print' });
  await expect(shared).toBeVisible();
  await expect(shared.getByRole('heading', { name: 'Search' })).toBeVisible();
  await expect(shared.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Connection' })).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Log' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await open(page, connection.page);
  await expect(sheet).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Connection' })).toBeHidden();
  await expect(page.getByRole('region', { name: 'Latest runs' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  const day = dayOf(connection.account, 3);
  const [lost] = await warehouse<Stored>(
    `select count(*)::text as rows, sum(cost_micros)::text as cost from ${table} where date = '${day}'`,
  );
  await warehouse(`create function ${trigger}() returns trigger language plpgsql as $$ begin
    if new.date = '${day}' then return null; end if; return new; end $$`);
  await warehouse(`create trigger lose before insert on ${table} for each row execute function ${trigger}()`);
  // Rows that are there already are not inserted again.
  await warehouse(`delete from ${table} where date = '${day}'`);
  await page.getByRole('button', { name: 'Run now' }).click();
  const missing = `${lost?.rows} rows (${euros(lost?.cost ?? '')}) missing in PostgreSQL`;
  await expect(sheet.getByText(missing)).toBeVisible();
  await expect(sheet.getByText('Repair loads only the days that differ, a run all days that are due')).toBeVisible();
  await warehouse(`drop trigger lose on ${table}`);
  await sheet.getByRole('button', { name: 'Repair' }).click();
  await expect(sheet.getByText(missing)).toHaveCount(0);
  await expect(sheet).toContainText(`${lost?.rows} rows read from Google Ads = ${lost?.rows} rows found in PostgreSQL`);
  const card = page.getByRole('region', { name: 'Last run' });
  await expect(card).toContainText('Repair, ');
  await expect(card).toContainText('Verified');

  // The older run still shows what it lacked, and that the rows have arrived since.
  await page.getByRole('navigation', { name: 'Connection' }).getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('row').filter({ hasText: 'Manual' }).getByRole('link').first().click();
  await expect(page.getByRole('dialog')).toContainText(`${missing}. A later run has loaded these days again.`);
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Repair' })).toHaveCount(0);
});

test('a verification that cannot be loaded is not replaced by the one of an earlier run', async ({ page }) => {
  const connection = await aLoadedConnection(page, newPrefix('unproven'));
  await open(page, connection.page);
  const sheet = sheetOf(page);
  await expect(sheet.getByRole('row').filter({ hasText: 'Northwind DE' })).toContainText('Match');
  await page.route(/\/runs\/[^/]+\/proof$/, (route) =>
    route.fulfill({ status: 503, json: { code: 'busy', detail: 'The database is busy.' } }),
  );
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText('Couldn’t load the verification')).toBeVisible();
  await expect(sheet).toHaveCount(0);
});
