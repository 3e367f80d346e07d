import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { openConnection } from './support/connections.ts';
import { daysAgo } from './support/days.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { open } from './support/steps.ts';

/** A day that was watched and whose deadline has passed at any hour is lost. A fault of the sandbox would affect all tests. */
async function loseDay(connectionId: string, day: string): Promise<void> {
  const database = new pg.Client({ connectionString: instance().databaseUrl });
  await database.connect();
  await database.query(`update coverage set state = 'missing' where connection_id = $1 and day = $2`, [connectionId, day]);
  await database.query(
    `insert into freshness_days (organization_id, connection_id, day, due_at, check_at)
     select organization_id, id, $2, now(), now() from connections where id = $1`,
    [connectionId, day],
  );
  await database.end();
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const openTab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Connection' }).getByRole('link', { name, exact: true }).click();

async function expectGoodLooks(page: Page, name: string): Promise<void> {
  for (const size of SIZES)
    for (const scheme of SCHEMES) {
      await show(page, size, scheme);
      // The bar at the top of a phone covers fields under it, which counts as a target that is too small.
      await page.evaluate(() => scrollTo(0, 0));
      expect.soft(await violationsOf(page), `${name} at ${size.name} in ${scheme}`).toEqual([]);
      expect.soft(await overflowOf(page), `${name} at ${size.name} scrolls horizontally`).toBe(0);
      await page.screenshot({ path: `../.tmp/freshness-${name}-${size.name}-${scheme}.png`, fullPage: true });
    }
  await show(page, SIZES[1]!, 'light');
}

test('shows a late day with its reason, notifies once, and recovers after a run', async ({ page }) => {
  const { organizationId, connectionId } = await openConnection(page, { prefix: newPrefix('fresh') });
  const freshness = section(page, 'Freshness');
  await expect(freshness.getByText('Complete', { exact: true })).toBeVisible();
  await expect(freshness.getByRole('img', { name: '14 of 14 days complete' })).toBeVisible();

  await freshness.getByRole('link', { name: 'Set a freshness target' }).click();
  const target = section(page, 'Freshness target');
  await target.getByText('Complete by', { exact: true }).click();
  await target.getByRole('textbox', { name: /Complete by/ }).fill('7:30');
  await expect(target.getByText(/^Yesterday must be complete by 07:30, /)).toBeVisible();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.reload();
  await expect(target.getByRole('textbox', { name: /Complete by/ })).toHaveValue('07:30');
  await expectGoodLooks(page, 'settings');

  await loseDay(connectionId, daysAgo(3));
  await openTab(page, 'Overview');
  const openDays = freshness.getByRole('list', { name: 'Incomplete days' });
  await page.reload();
  await expect(openDays.getByText(/late, 12 of 12 account-days missing: \w+ of Northwind \w+ and 11 others$/)).toBeVisible();
  await expect(freshness.getByRole('img', { name: '13 of 14 days complete, 1 late' })).toBeVisible();
  await expectGoodLooks(page, 'late');
  await open(page, `/${organizationId}/alert`);
  // The job looks every minute.
  await expect(page.getByText('Search to warehouse is late')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem')).toHaveCount(1);

  await page.getByRole('link', { name: 'Open connection' }).click();
  await expect(page.getByText('4 of 4 accounts incomplete')).toBeVisible();
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(openDays).toHaveCount(0);
  await expect(freshness.getByRole('img', { name: '14 of 14 days complete' })).toBeVisible();
  await open(page, `/${organizationId}/alert`);
  await expect(page.getByText('No open alerts')).toBeVisible();
  await page.getByRole('link', { name: /^Recovered/ }).click();
  await expect(page.getByText('Search to warehouse is complete again')).toHaveCount(1);

  await open(page, `/${organizationId}/connection`);
  await expect(page.getByText('Yesterday complete: 1 of 1')).toBeVisible();
  await expect(page.getByRole('img', { name: '14 of 14 days complete' })).toBeVisible();
  await expectGoodLooks(page, 'list');

  await open(page, `/${organizationId}/connection/${connectionId}/configuration?tab=settings`);
  const badge = section(page, 'Freshness badge');
  await badge.getByRole('textbox', { name: 'Text on the badge' }).fill('Ads <data>');
  await badge.getByRole('button', { name: 'Create badge' }).click();
  const url = await badge.getByText(/\/api\/v1\/badges\/[\w-]{43}\.svg$/).textContent();
  const picture = badge.getByRole('img', { name: 'Badge: Ads <data>' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(50);
  await expectGoodLooks(page, 'badge');
  // The account in New York is the last one whose day ends.
  const path = new URL(url ?? '').pathname;
  const publicUrl = new URL(path, instance().url).href;
  expect(await (await fetch(publicUrl)).text()).toContain(`Ads &lt;data&gt;: complete through ${daysAgo(1, 'America/New_York')}`);
  await badge.getByRole('button', { name: 'Done' }).click();
  await badge.getByRole('button', { name: 'Revoke badge' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke badge' }).click();
  await expect(badge.getByRole('button', { name: 'Create badge' })).toBeVisible();
  expect((await fetch(publicUrl)).status).toBe(404);
});

test('shows that freshness could not be loaded without hiding the page', async ({ page }) => {
  await page.route('**/freshness', (route) => route.fulfill({ status: 503, json: {} }));
  await openConnection(page, { prefix: newPrefix('fail') });
  await expect(page.getByText('Couldn’t load freshness')).toBeVisible();
  await page.unroute('**/freshness');
  await section(page, 'Freshness').getByRole('button', { name: 'Try again' }).click();
  await expect(section(page, 'Freshness').getByRole('img')).toBeVisible();
});
