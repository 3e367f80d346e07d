import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { aPlatformScenario } from '../../../test/platform-scenario.js';
import { googleAds } from '../../../test/platforms.js';
import { DeleteOldRunLogs, LOG_DAYS } from './delete-old-run-logs.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

it('deletes the log of a run after 30 days and keeps the run with its verification', async () => {
  const scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  const connection = await scenario.connect({ historyDays: 3, streams: ['campaign_daily'] });
  const run = await scenario.endedRun(connection);
  expect(run.log.length).toBeGreaterThan(1);
  const age = (days: number, edge: 'min' | 'max') =>
    app.database.query(
      `update run_log_entries set at = now() - make_interval(days => $2, mins => 1)
        where id = (select ${edge}(id) from run_log_entries where run_id = $1)`,
      [run.id, days],
    );
  await age(LOG_DAYS, 'min');
  await age(LOG_DAYS - 1, 'max');
  const entries = () =>
    app.database.query<{ id: string }>('select id::text from run_log_entries where run_id = $1 order by id', [run.id]);
  const before = await entries();
  await app.get(DeleteOldRunLogs).deleteOld();
  expect(await entries()).toEqual(before.slice(1));
  const { log: _log, requests: _requests, ...kept } = await scenario.newestRun(connection);
  const { log: _logBefore, requests: _requestsBefore, ...whole } = run;
  expect(kept).toEqual(whole);
});
