import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { openConnection } from './support/connections.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';

/**
 * Settles the older days of the connection, as if each had been loaded on the day after, and changes one of them as if the platform
 * had restated it. A fault of the sandbox would affect all tests.
 */
async function settleDays(connectionId: string): Promise<void> {
  const database = new pg.Client({ connectionString: instance().databaseUrl });
  await database.connect();
  await database.query('update connections set lookback_days = 3 where id = $1', [connectionId]);
  await database.query(
    `update coverage set state = 'final', settled_at = now() - interval '1 day', first_loaded_at = day + interval '36 hours',
            clicks = clicks - case when day = current_date - 15 then 5 else 0 end
      where connection_id = $1 and day < current_date - 5`,
    [connectionId],
  );
  await database.end();
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const openChanges = (page: Page) =>
  page.getByRole('navigation', { name: 'Connection' }).getByRole('link', { name: 'Changes' }).click();

test('shows settling times, a restated day before and after, and how it was found and repaired', async ({ page }) => {
  const { connectionId } = await openConnection(page, { prefix: newPrefix('chg') });

  await page.route('**/restatements/settling*', (route) => route.fulfill({ status: 503, json: {} }));
  await openChanges(page);
  await expect(page.getByText('Couldn’t load settling times')).toBeVisible();
  await page.unroute('**/restatements/settling*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(
    section(page, 'Settling time')
      .getByText(/Not known yet: 0 settled days of 14/)
      .first(),
  ).toBeVisible();
  await expect(section(page, 'Restated days').getByText('No day of this stream has changed after it had settled.')).toBeVisible();
  await expect(
    section(page, 'How much each day still changed').getByText(/No day of the last 42 changed its cost/),
  ).toBeVisible();

  await page.route('**/restatements/settling*', (route) => route.fulfill({ status: 503, json: {} }));
  await page.getByRole('combobox', { name: 'Stream' }).click();
  await page.getByRole('option').last().click();
  await expect(page.getByText('Couldn’t load settling times')).toBeVisible();
  await expect(section(page, 'Settling time').getByRole('listitem')).toHaveCount(0);
  await page.unroute('**/restatements/settling*');
  await page.getByRole('combobox', { name: 'Stream' }).click();
  await page.getByRole('option').first().click();
  await expect(section(page, 'Settling time').getByRole('listitem').first()).toBeVisible();

  const days = section(page, 'How much each day still changed');
  await page.route('**/restatements?*account=*', (route) => route.fulfill({ status: 503, json: {} }));
  await days.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option').last().click();
  await expect(page.getByText('Couldn’t load changed days')).toBeVisible();
  await expect(days.getByText(/No day of the last 42/)).toHaveCount(0);
  await page.unroute('**/restatements?*account=*');
  await days.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option').first().click();
  await expect(days.getByText(/No day of the last 42/)).toBeVisible();

  const reconciliation = section(page, 'Reconciliation');
  await reconciliation.getByRole('button', { name: 'Reconcile now' }).click();
  await expect(reconciliation.getByText(/Every compared day equals|nothing to repair/)).toBeVisible();

  await settleDays(connectionId);
  await reconciliation.getByRole('button', { name: 'Reconcile now' }).click();
  await expect(reconciliation.getByText(/\d+ restated account-days?/)).toBeVisible();
  await expect(reconciliation.getByRole('row', { name: /Restated .*Clicks: [\d,]+ of [\d,]+/ }).first()).toBeVisible();
  const restated = section(page, 'Restated days');
  await expect(restated.getByText(/Clicks from [\d,]+ to [\d,]+/).first()).toBeVisible();
  await page.reload();
  await expect(
    section(page, 'Settling time')
      .getByText(/(Conversions|All metrics) settle with the initial load/)
      .first(),
  ).toBeVisible();

  const movement = section(page, 'How much each day still changed');
  await movement.getByText('Clicks', { exact: true }).click();
  await expect(movement.getByText(/1 day of the last 42 changed clicks after the initial load/)).toBeVisible();
  for (const size of SIZES)
    for (const colorScheme of SCHEMES) {
      await show(page, size, colorScheme);
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.screenshot({ path: test.info().outputPath(`${size.name}-${colorScheme}.png`), fullPage: true });
    }
  await movement.getByRole('button', { name: 'Show as table' }).click();
  await expect(movement.getByRole('row', { name: /1 change, last after 1[56] days/ })).toBeVisible();
  await reconciliation.getByRole('link', { name: 'View the repair run' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});
