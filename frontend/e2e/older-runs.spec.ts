import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { aLoadedConnection, query } from './support/backfills.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { open } from './support/steps.ts';

/** Ended runs of the connection, a minute apart. Their states alternate, because equal runs share a row. The list is sorted by ID. */
const addRuns = (connectionId: string, count: number, { after, states }: { after: string; states: string[] }) =>
  query(
    instance().databaseUrl,
    `insert into runs (organization_id, id, connection_id, kind, trigger, state, queued_at, started_at, ended_at)
     select c.organization_id,
            (lpad(to_hex((extract(epoch from started) * 1000)::bigint), 12, '0') || '70008' || right(md5(random()::text), 15))::uuid, c.id, 'scheduled', 'schedule',
            ($4::text[])[1 + number % cardinality($4::text[])]::run_state, started, started, started
       from connections c, generate_series(1, $2::int) number,
            lateral (select now() + $3::interval + number * interval '1 minute' as started) at
      where c.id = $1`,
    [connectionId, count, after, states],
  );
const addOlderRuns = (connectionId: string, count: number) =>
  addRuns(connectionId, count, { after: '-1 day', states: ['succeeded', 'cancelled'] });
const idOf = (url: string): string => url.split('/').at(-1) ?? '';
const rowsOf = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('link') });

test('the older runs on the page stay when a run starts', async ({ page }) => {
  const { url, page: path } = await aLoadedConnection(page, newPrefix('older'));
  await addOlderRuns(idOf(url), 60);
  await open(page, `${path}?tab=runs`);
  const rows = rowsOf(page);
  await expect(rows).toHaveCount(50);
  await page.getByRole('button', { name: 'Show older runs' }).click();
  await expect(rows).toHaveCount(61);
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(rows).toHaveCount(62);
  await expect(rows.getByText('Verified')).toHaveCount(32);
  await expect(rows).toHaveCount(62);
});

test('no run is missing when more runs have started than a page has', async ({ page }) => {
  const { url, page: path } = await aLoadedConnection(page, newPrefix('oldergap'));
  await addOlderRuns(idOf(url), 60);
  await open(page, `${path}?tab=runs`);
  const rows = rowsOf(page);
  await expect(rows).toHaveCount(50);
  await page.getByRole('button', { name: 'Show older runs' }).click();
  await expect(rows).toHaveCount(61);
  await addRuns(idOf(url), 55, { after: '-1 hour', states: ['succeeded', 'cancelled'] });
  await page.getByRole('button', { name: 'Run now' }).click();
  // As many pages as before, without a gap between them.
  await expect(rows).toHaveCount(100);
  await page.getByRole('button', { name: 'Show older runs' }).click();
  await expect(rows).toHaveCount(117);
});

test('says that older runs could not be loaded, and the next click loads the same page', async ({ page }) => {
  const { url, page: path } = await aLoadedConnection(page, newPrefix('olderfail'));
  await addOlderRuns(idOf(url), 120);
  await open(page, `${path}?tab=runs`);
  const rows = rowsOf(page);
  await expect(rows).toHaveCount(50);
  let requests = 0;
  await page.route('**/runs?**cursor=**', (route) => {
    requests += 1;
    return route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      json: { type: 'about:blank', title: 'Rejected', status: 422, code: 'request.invalid', detail: 'The page is rejected' },
    });
  });
  const more = page.getByRole('button', { name: 'Show older runs' });
  await more.click();
  await expect(page.getByRole('alert').getByText(/The page is rejected/)).toBeVisible();
  await more.click();
  await expect.poll(() => requests).toBe(2);
  await expect(rows).toHaveCount(50);
  await page.unroute('**/runs?**cursor=**');
  await more.click();
  await expect(rows).toHaveCount(100);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await more.click();
  await expect(rows).toHaveCount(121);
});

test('the filter of the runs finds older ones and is in the address', async ({ page }) => {
  const { url, page: path } = await aLoadedConnection(page, newPrefix('runfilter'));
  await addRuns(idOf(url), 3, { after: '-3 days', states: ['failed', 'unverified', 'partial'] });
  await addOlderRuns(idOf(url), 60);
  await open(page, `${path}?tab=runs`);
  const rows = rowsOf(page);
  await expect(rows).toHaveCount(50);
  await page.getByText('Failed', { exact: true }).click();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/state=failed/);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await page.getByRole('radiogroup', { name: 'State' }).getByText('Unverified').click();
  await expect(rows).toHaveCount(1);
  await rows.first().getByRole('link').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/state=unverified/);
  await expect(rows).toHaveCount(1);
});

test('closing a run keeps the filters of the tab', async ({ page }) => {
  const { url, page: path } = await aLoadedConnection(page, newPrefix('rundrawer'));
  await addRuns(idOf(url), 1, { after: '-1 hour', states: ['failed'] });
  await open(page, `${path}?tab=coverage&stream=campaign_daily&range=3m`);
  const close = () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const [run] = await query<{ id: string }>(instance().databaseUrl, `select id from runs where connection_id = $1`, [idOf(url)]);
  await open(page, `${path}?tab=coverage&stream=campaign_daily&range=3m&run=${run!.id}`);
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page).toHaveURL(/details=log/);
  await close();
  await expect(page).toHaveURL(/\?tab=coverage&stream=campaign_daily&range=3m$/);
});
