import { expect, test } from '@playwright/test';
import { aLoadedConnection, query } from './support/backfills.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { open } from './support/steps.ts';

const addLines = (runId: string, first: number, last: number) =>
  query(
    instance().databaseUrl,
    `insert into run_log_entries (organization_id, run_id, level, message)
     select r.organization_id, r.id, (case when n = 20 then 'warn' else 'info' end)::log_level, 'Added line ' || n
       from runs r, generate_series($2::int, $3::int) n where r.id = $1 order by n`,
    [runId, first, last],
  );

test('older lines of a long log are shown on request, in order, and stay when lines are added', async ({ page }) => {
  const { url, page: path } = await aLoadedConnection(page, newPrefix('olderlog'));
  const [run] = await query<{ id: string }>(instance().databaseUrl, 'select id from runs where connection_id = $1', [
    url.split('/').at(-1),
  ]);
  await addLines(run!.id, 1, 560);
  await open(page, `${path}?tab=runs&run=${run!.id}&details=log`);
  const log = page.getByRole('list', { name: 'Log' });
  const lines = log.getByRole('listitem');
  await expect(lines).toHaveCount(500);
  await expect(page.getByText(/^500 lines shown/)).toBeVisible();
  await expect(log.getByText('Added line 30', { exact: true })).toHaveCount(0);
  const more = page.getByRole('button', { name: 'Show older lines' });
  await more.click();
  await expect(log.getByText('Added line 30', { exact: true })).toBeVisible();
  await expect(more).toHaveCount(0);
  const count = await lines.count();
  const numbers = async () =>
    (await log.getByText(/Added line \d+/).allTextContents()).map((text) => Number(/\d+$/.exec(text)?.[0]));
  expect(await numbers()).toEqual(Array.from({ length: 560 }, (_, index) => index + 1));
  await addLines(run!.id, 561, 570);
  // The run has ended, so it is loaded again when the browser is online again.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(lines).toHaveCount(count + 10, { timeout: 1_000 });
  }).toPass();
  expect(await numbers()).toEqual(Array.from({ length: 570 }, (_, index) => index + 1));
});
