import { expect, test } from '@playwright/test';
import { aLoadedConnection, dayOf, rowsOfAYear, query } from './support/backfills.ts';
import { addFault, slowGoogle } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { open } from './support/steps.ts';

test('gaps are repaired by click and by selection, and a year of history loads with a pause', async ({ page }) => {
  const connection = await aLoadedConnection(page, newPrefix('backfill'));
  const { account, prefix } = connection;
  const days = [dayOf(account, 8), dayOf(account, 5)];
  const deleted = await query(
    instance().warehouseUrl,
    `delete from ${prefix}google_ads_campaign_daily where account_id = $1 and date = any($2::date[]) returning 1`,
    [account.externalId, days],
  );
  await query(
    instance().databaseUrl,
    `update coverage set state = 'missing' where connection_id = $1 and account_id = $2 and day = any($3::date[])`,
    [connection.url.split('/').at(-1), account.externalId, days],
  );

  await open(page, `${connection.page}?tab=coverage`);
  const endSlowness = await slowGoogle(account.externalId, 6_000);
  const gaps = page.getByRole('region', { name: 'Gaps' });
  await gaps.getByRole('listitem').first().getByRole('button', { name: 'Repair' }).click();
  await expect(gaps.getByRole('listitem')).toHaveCount(1);
  // A connection has one reload at a time. The reason is beside the button, with the run to wait for.
  await gaps.getByRole('listitem').getByRole('button', { name: 'Repair' }).click();
  await expect(gaps.getByRole('alert')).toContainText('Another reload of this connection is active.');
  await expect(gaps.getByRole('alert').getByRole('link', { name: 'View the active run' })).toHaveAttribute('href', /run=/);
  await endSlowness();
  await expect(gaps.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('gridcell', { name: /: Loading/ })).toHaveCount(0);
  await gaps
    .getByRole('listitem')
    .getByRole('button', { name: /Missing/ })
    .click();
  await page.getByRole('region', { name: 'Selected days' }).getByRole('button', { name: 'Reload these days' }).click();
  await expect(page.getByText('No gaps. All days in this range are loaded.')).toBeVisible();
  // A day that is loading is no gap any more, so the rows can arrive later than the message.
  const repaired = async () =>
    (
      await query(
        instance().warehouseUrl,
        `select 1 from ${prefix}google_ads_campaign_daily where account_id = $1 and date = any($2::date[])`,
        [account.externalId, days],
      )
    ).length;
  await expect.poll(repaired).toBe(deleted.length);

  await addFault({ provider: 'google-ads', fault: 'slow', delayMs: 1_200, customerId: account.externalId, times: 30 });
  await page.getByRole('link', { name: 'Backfills' }).click();
  await page.getByRole('button', { name: 'New backfill' }).click();
  const dialog = page.getByRole('dialog', { name: 'New backfill' });
  await dialog.getByRole('combobox', { name: 'Days' }).click();
  await page.getByRole('option', { name: 'Last 400 days' }).click();
  await expect(dialog.getByRole('region', { name: 'Estimate' })).toContainText(/account-days, about .* rows, .* API calls/);
  await dialog.getByRole('button', { name: 'Start backfill' }).click();

  const entry = page.getByRole('region', { name: /^Backfill / });
  const bar = entry.getByRole('progressbar', { name: 'Backfill' });
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
  await entry.getByRole('button', { name: 'Pause' }).click();
  await expect(entry.getByText('Paused')).toBeVisible();
  await expect(entry.getByRole('button', { name: 'Resume' })).toBeVisible();
  expect(Number(await bar.getAttribute('aria-valuenow'))).toBeLessThan(100);
  await entry.getByRole('button', { name: 'Resume' }).click();
  await expect(entry.getByText('Completed')).toBeVisible();
  await expect(bar).toHaveAttribute('aria-valuenow', '100');
  const rows = await rowsOfAYear(connection);
  expect(rows.warehouse).toBeGreaterThan(0);
  expect(rows.warehouse).toBe(rows.source);
});
