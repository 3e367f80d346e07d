import { expect, test, type Page } from '@playwright/test';
import pg from 'pg';
import { aMember } from './support/calls.ts';
import { openConnection } from './support/connections.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { openAs } from './support/steps.ts';

async function countRows(table: string): Promise<number> {
  const warehouse = new pg.Client({ connectionString: instance().warehouseUrl });
  await warehouse.connect();
  const { rows } = await warehouse.query<{ count: number }>(`select count(*)::int as count from ${pg.escapeIdentifier(table)}`);
  await warehouse.end();
  return rows[0]?.count ?? 0;
}

/** Ends when the warehouse no longer loses rows. A run that starts earlier could lose some too. */
async function loseRowsOnce(page: Page): Promise<void> {
  const faultEnds = page.waitForResponse((response) => response.url().endsWith('/clear') && response.ok());
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Lose rows (demo)' }).click();
  await faultEnds;
}

// One after the other: the end of a fault in the warehouse ends the fault of the other test too.
test.describe.configure({ mode: 'default' });

test('one click loses rows and turns the connection red, one click repairs it', async ({ page }) => {
  const prefix = newPrefix('lost');
  const table = `${prefix}google_ads_campaign_daily`;
  await openConnection(page, { prefix });
  const loaded = await countRows(table);

  await loseRowsOnce(page);
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

test('“Run again” starts one run, however fast it is clicked, and names the required role to a viewer', async ({
  browser,
  page,
}) => {
  const { person: owner, organizationId } = await openConnection(page, { prefix: newPrefix('again') });
  const viewer = await aMember(owner, organizationId, 'viewer');
  await loseRowsOnce(page);
  const again = page.getByRole('button', { name: 'Run again' });
  await expect(again).toBeVisible();

  const visit = await (await browser.newContext()).newPage();
  await openAs(visit, viewer, new URL(page.url()).pathname);
  await expect(visit.getByRole('button', { name: 'Run again' })).toBeDisabled();
  await visit.context().close();

  let started = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/run')) started += 1;
  });
  await again.dblclick();
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  expect(started).toBe(1);
});
