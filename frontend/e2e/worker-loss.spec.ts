import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { Instance } from '../../tools/start/instance-file.ts';
import { testInstanceFolder } from '../../tools/start/test-instance.ts';
import { aLoadedConnection, rowsOfAYear, query } from './support/backfills.ts';
import { addFault } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { open } from './support/steps.ts';

/** The launcher writes the ids of its processes, also after a restart. */
const workerId = (): number => {
  const text = readFileSync(path.join(testInstanceFolder('free'), 'instance.json'), 'utf8');
  return (JSON.parse(text) as Instance).processes.worker!;
};

test('a backfill of 400 days continues after a pause and after its worker is killed, and loads every day once', async ({
  page,
}) => {
  const connection = await aLoadedConnection(page, newPrefix('loss'));
  const customerId = connection.account.externalId;
  await addFault({ provider: 'google-ads', fault: 'slow', delayMs: 1_500, customerId, times: 40 });
  await open(page, `${connection.page}?tab=backfills&new=backfill`);
  const dialog = page.getByRole('dialog', { name: 'New backfill' });
  await dialog.getByRole('combobox', { name: 'Days' }).click();
  await page.getByRole('option', { name: 'Last 400 days' }).click();
  await dialog.getByRole('button', { name: 'Start backfill' }).click();

  const entry = page.getByRole('region', { name: /^Backfill / });
  const bar = entry.getByRole('progressbar', { name: 'Backfill' });
  const percent = async () => Number(await bar.getAttribute('aria-valuenow'));
  await expect.poll(percent).toBeGreaterThan(0);
  await entry.getByRole('button', { name: 'Pause' }).click();
  await entry.getByRole('button', { name: 'Resume' }).click();
  const beforeKill = await percent();
  await expect.poll(percent).toBeGreaterThan(beforeKill);
  const killed = workerId();
  process.kill(killed, 'SIGKILL');
  expect(await percent()).toBeLessThan(100);
  await expect.poll(workerId).not.toBe(killed);

  await expect(entry.getByText('Completed')).toBeVisible();
  await expect(bar).toHaveAttribute('aria-valuenow', '100');
  const rows = await rowsOfAYear(connection);
  expect(rows.warehouse).toBeGreaterThan(0);
  expect(rows.warehouse).toBe(rows.source);
  const [coverage] = await query<{ repeated: number; days: number }>(
    instance().databaseUrl,
    `select count(*)::int as days, (count(*) - count(distinct (stream, account_id, day)))::int as repeated from coverage
      where connection_id = $1 and state in ('provisional', 'final', 'restated', 'empty_confirmed')`,
    [connection.url.split('/').at(-1)],
  );
  expect(coverage).toMatchObject({ repeated: 0 });
  expect(coverage!.days).toBeGreaterThanOrEqual(400);
});
