import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { aLoadedConnection, dayOf, query } from './support/backfills.ts';
import { slowGoogle } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { open } from './support/steps.ts';

const cells = (page: Page) => page.getByRole('gridcell', { name: /^Northwind DE, / });
const selected = (page: Page) => page.locator('[role=gridcell][aria-selected=true]');
const details = (page: Page) => page.getByRole('region', { name: 'Selected days' });

test('days of the coverage are read by pointer, selected by dragging and by keyboard, and loaded again', async ({ page }) => {
  const connection = await aLoadedConnection(page, newPrefix('cockpit'));
  const { account } = connection;
  await open(page, `${connection.page}?tab=coverage`);
  await expect(cells(page).first()).toBeVisible();

  // The card of the day under the pointer, and of the day with the focus.
  const card = page
    .getByRole('grid')
    .locator('div', { hasText: /^Northwind DE, / })
    .last();
  await cells(page).nth(4).hover();
  await expect(card).toContainText(/Rows\d+Cost€[\d,]+\.\d\dLast read(just now|\d+ min ago)RunInitial load/);
  await page.keyboard.press('Escape');
  await expect(card).toHaveCount(0);
  await expect(cells(page).nth(4)).toHaveAccessibleName(/: (Final|Provisional), \d+ rows, €[\d,.]+, last read /);

  await cells(page).nth(3).hover();
  await page.mouse.down();
  await cells(page).nth(7).hover();
  await expect(selected(page)).toHaveCount(5);
  await cells(page).nth(5).hover();
  await page.mouse.up();
  await expect(selected(page)).toHaveCount(3);
  await expect(details(page).getByRole('region', { name: 'Estimate' })).toContainText(
    /3 account-days, about \d+ rows, \d+ API call/,
  );
  await expect(details(page).getByRole('button', { name: 'Repair' })).toHaveCount(0);

  await page.keyboard.press('Home');
  await cells(page).nth(2).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(selected(page)).toHaveCount(3);
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(selected(page)).toHaveCount(2);

  for (const size of SIZES)
    for (const scheme of SCHEMES) {
      await show(page, size, scheme);
      expect.soft(await violationsOf(page), `${size.name} ${scheme}`).toEqual([]);
      expect.soft(await overflowOf(page), `${size.name} ${scheme} scrolls horizontally`).toBe(0);
    }

  // The selected days fill in the form of a backfill.
  await details(page).getByRole('link', { name: 'Backfill' }).click();
  const dialog = page.getByRole('dialog', { name: 'New backfill' });
  await expect(dialog.getByLabel('First day')).toHaveValue(/^\d{4}-\d{2}-\d{2}$/);
  await expect(dialog.getByRole('region', { name: 'Estimate' })).toContainText('2 account-days');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).not.toHaveURL(/from=/);

  // A missing day of the selection is repaired, and its cell fills without a reload of the page.
  const missing = dayOf(account, 5);
  await query(
    instance().databaseUrl,
    `update coverage set state = 'missing' where connection_id = $1 and account_id = $2 and day = $3`,
    [connection.url.split('/').at(-1), account.externalId, missing],
  );
  const endSlowness = await slowGoogle(account.externalId);
  await open(page, `${connection.page}?tab=coverage`);
  const gap = page.getByRole('gridcell', { name: /: Missing/ });
  await gap.click();
  await details(page).getByRole('button', { name: 'Repair' }).click();
  await expect(page.getByRole('gridcell', { name: /: Loading/ })).toHaveCount(1);
  await endSlowness();
  await expect(page.getByRole('gridcell', { name: /: (Loading|Missing)/ })).toHaveCount(0);
});

test('the coverage of another range is not shown before it arrives, nor when it does not arrive', async ({ page }) => {
  const connection = await aLoadedConnection(page, newPrefix('range'));
  await open(page, `${connection.page}?tab=coverage`);
  const grid = page.getByRole('grid', { name: 'Coverage by account and day' });
  const summary = page.getByText(/^[\d,]+ of [\d,]+ account-days in PostgreSQL/);
  const audit = page.getByRole('heading', { name: 'Destination audit' });
  await expect(grid).toBeVisible();
  await expect(summary).toBeVisible();

  for (const { name, viewport } of SIZES) {
    await page.setViewportSize(viewport);
    await page.getByText('6 weeks', { exact: true }).click();
    await expect(grid).toBeVisible();
    const before = await audit.boundingBox();
    const { promise, resolve } = Promise.withResolvers<null>();
    await page.route(/\/coverage\?/, async (route) => {
      await promise;
      await route.fulfill({ status: 503, json: {} });
    });
    await page.getByText(name === '360' ? '3 months' : '1 year', { exact: true }).click();
    await expect(page.getByRole('status', { name: 'Loading coverage' })).toBeVisible();
    await expect(grid).toHaveCount(0);
    await expect(summary).toHaveCount(0);
    await expect(page.getByText(/^No gaps/)).toHaveCount(0);
    await page.screenshot({ path: test.info().outputPath(`loading-${name}.png`), fullPage: true });
    expect.soft(await audit.boundingBox(), `${name} keeps what is below in place`).toEqual(before);

    resolve(null);
    await expect(page.getByText('Couldn’t load coverage')).toBeVisible();
    await expect(grid).toHaveCount(0);
    await expect(summary).toHaveCount(0);
    await expect(page.getByText(/^No gaps/)).toHaveCount(0);
    await page.unroute(/\/coverage\?/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(grid).toBeVisible();
  }
});
