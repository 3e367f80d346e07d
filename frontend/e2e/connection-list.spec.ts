import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { aLoadedConnection, query } from './support/backfills.ts';
import { post } from './support/calls.ts';
import { daysAgo } from './support/days.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { createWarehouse, findSource } from './support/resources.ts';
import { open } from './support/steps.ts';

const PHONE = { width: 360, height: 780 };

/** Two connections with a manual schedule: Search, and Brand. A table of another kind lets every run of Brand fail. */
async function twoConnections(page: Page, name: string, isFailing = false) {
  const { person, url, page: path } = await aLoadedConnection(page, newPrefix(name));
  const organizationId = path.split('/')[1] ?? '';
  const { id: sourceId } = await findSource(person, organizationId);
  const prefix = newPrefix(`${name}2`);
  const destinationId = await createWarehouse(person, organizationId, prefix);
  if (isFailing) await query(instance().warehouseUrl, `create view ${prefix}google_ads_campaign_daily as select 1 as one`);
  const body = { sourceId, destinationId, streams: ['campaign_daily'], name: 'Brand', historyFrom: daysAgo(1), tags: ['spring'] };
  const schedule = { kind: 'manual', timeZone: 'UTC' };
  const brand = await post<{ id: string }>(url.slice(0, url.lastIndexOf('/')), { ...body, schedule }, person.token);
  await expect
    .poll(() => query(instance().databaseUrl, `select 1 from runs where connection_id = $1 and ended_at is not null`, [brand.id]))
    .toHaveLength(1);
  return {
    person,
    organizationId,
    list: `/${organizationId}/connection`,
    searchId: url.split('/').at(-1) ?? '',
    brandId: brand.id,
  };
}

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected connections' });

test('a bulk action names what failed and keeps it selected', async ({ page }) => {
  const { list, brandId } = await twoConnections(page, 'bulk');
  await open(page, list);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(bar(page).getByRole('button', { name: 'Retry' })).toBeDisabled();
  await page.route(`**/connections/${brandId}/run`, (route) => route.fulfill({ status: 503, json: { detail: 'Not available' } }));
  await bar(page).getByRole('button', { name: 'Run' }).click();
  await expect(page.getByText('1 run started, 1 failed. Brand: Not available')).toBeVisible();
  await expect(bar(page)).toContainText('1 selected');
  await expect(page.getByRole('checkbox', { name: 'Select Brand' })).toBeChecked();
  await page.unroute(`**/connections/${brandId}/run`);
  await bar(page).getByRole('button', { name: 'Run' }).click();
  await expect(page.getByText('1 run started', { exact: true })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});

test('Retry starts a run of the selected connections whose last run failed', async ({ page }) => {
  const { list, brandId, searchId } = await twoConnections(page, 'retry', true);
  await open(page, list);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await bar(page).getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('1 run started', { exact: true })).toBeVisible();
  const runsOf = (id: string) => query(instance().databaseUrl, `select 1 from runs where connection_id = $1`, [id]);
  expect(await runsOf(brandId)).toHaveLength(2);
  expect(await runsOf(searchId)).toHaveLength(1);
});

test('a filter that cannot be loaded shows no connections of the filter before it', async ({ page }) => {
  const { list } = await twoConnections(page, 'failed');
  await open(page, list);
  const cells = page.locator('tbody').getByRole('link');
  await expect(cells).not.toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Select Search' }).check();
  const isFiltered = /\/connections\?(?=.*tag=spring)/;
  await page.route(isFiltered, (route) => route.fulfill({ status: 503, json: { detail: 'Not available' } }));
  await page.getByRole('combobox', { name: 'Tag' }).click();
  await page.getByRole('option', { name: 'spring' }).click();
  await expect(page.getByRole('alert')).toContainText('Couldn’t load connections');
  await expect(cells).toHaveCount(0);
  await expect(bar(page)).toHaveCount(0);
  await page.unroute(isFiltered);
  await page.getByRole('alert').getByRole('button').click();
  await expect(page.getByRole('checkbox', { name: 'Select Brand' })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Select Search' })).toHaveCount(0);
});

test('a filter whose freshness cannot be loaded shows no freshness of the filter before it', async ({ page }) => {
  const { list } = await twoConnections(page, 'stale');
  await open(page, list);
  await expect(page.getByText(/^2 connections, sorted by severity. Yesterday complete: \d of \d$/)).toBeVisible();
  await page.route(/\/freshness\?/, (route) => route.fulfill({ status: 503, json: { detail: 'Not available' } }));
  await page.getByRole('combobox', { name: 'Tag' }).click();
  await page.getByRole('option', { name: 'spring' }).click();
  await expect(page.getByText(/^1 connection, sorted by severity$/)).toBeVisible();
});

test('a search that cannot be loaded keeps its field, so that it can be changed', async ({ page }) => {
  const { list } = await twoConnections(page, 'searched');
  await open(page, list);
  const field = page.getByRole('searchbox', { name: 'Search connections' });
  await page.route(/\/connections\?(?=.*search=)/, (route) => route.fulfill({ status: 503, json: { detail: 'Not available' } }));
  await field.fill('bra');
  await expect(page.getByRole('alert')).toContainText('Couldn’t load connections');
  await expect(page.locator('tbody')).toHaveCount(0);
  // Outside of a field, this key opens the page to create a connection.
  await page.keyboard.press('c');
  await expect(field).toHaveValue('brac');
  await expect(page).toHaveURL(/search=brac/);
  expect(new URL(page.url()).pathname).toBe(list);
});

test('a filter that is chosen right after typing a search is kept', async ({ page }) => {
  const { list } = await twoConnections(page, 'typed');
  await open(page, list);
  const field = page.getByRole('searchbox', { name: 'Search connections' });
  await expect(field).toBeVisible();
  // Typing and the click are one task, so that the search is still delayed when the filter changes.
  await page.evaluate(() => {
    const search = document.querySelector<HTMLInputElement>('input[aria-label="Search connections"]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(search, 'Bra');
    search?.dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector<HTMLAnchorElement>('nav[aria-label="Filter by health"] a:last-child')?.click();
  });
  await expect(page).toHaveURL(/search=Bra/);
  await expect(page).toHaveURL(/health=/);
});

test('on a phone, connections have a menu and can be selected', async ({ page }) => {
  const { list } = await twoConnections(page, 'cards');
  await page.setViewportSize(PHONE);
  await open(page, list);
  await page.getByRole('button', { name: 'More for Brand' }).click();
  await page.getByRole('menuitem', { name: 'Clone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select Brand' }).check();
  await page.getByRole('checkbox', { name: 'Select Search' }).check();
  await expect(bar(page)).toContainText('2 selected');
  await expectAccessible(page, 'selected connections on a phone');
  await bar(page).getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('2 connections paused')).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});

test('the counters keep the tag', async ({ page }) => {
  const { list } = await twoConnections(page, 'tags');
  await open(page, `${list}?tag=spring`);
  await page.getByRole('navigation', { name: 'Filter by health' }).getByRole('link').last().click();
  await expect(page).toHaveURL(/health=.*tag=spring|tag=spring.*health=/);
});

test('a connection is cloned from its own page', async ({ page }) => {
  const { page: path } = await aLoadedConnection(page, newPrefix('clone'));
  await open(page, path);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Clone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clone connection' }).click();
  await expect(page.getByText('Copy of Search created, paused')).toBeVisible();
});
