import { expect, test } from '@playwright/test';
import { aLoadedConnection, query } from './support/backfills.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { open } from './support/steps.ts';

/** Runs before the first one of the connection. Their states alternate, because equal runs share a row. */
const addOlderRuns = (connectionId: string, count: number) =>
  query(
    instance().databaseUrl,
    `insert into runs (organization_id, id, connection_id, kind, trigger, state, queued_at, started_at, ended_at)
     select c.organization_id, (lpad(to_hex(number), 8, '0') || substr(gen_random_uuid()::text, 9))::uuid, c.id, 'scheduled', 'schedule',
            (case number % 2 when 0 then 'succeeded' else 'cancelled' end)::run_state, started, started, started
       from connections c, generate_series(1, $2::int) number,
            lateral (select now() - interval '1 day' + number * interval '1 minute' as started) at
      where c.id = $1`,
    [connectionId, count],
  );

test('the older runs on the page stay when a run starts', async ({ page }) => {
  const { url, page: path } = await aLoadedConnection(page, newPrefix('older'));
  await addOlderRuns(url.split('/').at(-1) ?? '', 60);
  await open(page, `${path}?tab=runs`);
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect(rows).toHaveCount(50);
  await page.getByRole('button', { name: 'Show older runs' }).click();
  await expect(rows).toHaveCount(61);
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(rows).toHaveCount(62);
  await expect(rows.getByText('Verified')).toHaveCount(32);
  await expect(rows).toHaveCount(62);
});
