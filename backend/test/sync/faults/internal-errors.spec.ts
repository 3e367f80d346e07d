import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { aPlatformScenario } from '../../platform-scenario.js';
import { googleAds } from '../../platforms.js';
import { Metrics } from '../../../src/core/observability/metrics.js';

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

it('a run with a programming error is attempted three times, fails as internal, and is counted', async () => {
  const scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  const connection = await scenario.connect({ historyDays: 3, streams: ['campaign_daily'] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  // The API rejects such a zone. In the engine it causes a RangeError when days are computed.
  await app.database.query(
    `update apps set accounts = (select jsonb_agg(account || '{"timeZone": "Nowhere/Atlantis"}') from jsonb_array_elements(accounts) account)
      where organization_id = $1 and provider = 'google_ads'`,
    [scenario.organization.id],
  );
  await scenario.organization.call.post(`${connection}/run`);
  const run = await scenario.endedRunAfterPauses(connection);
  expect(run).toMatchObject({ state: 'failed', failure: { class: 'internal', code: 'internal' } });
  expect(run.attempts).toHaveLength(3);
  expect(run.attempts.map(({ failure }) => failure?.class)).toEqual(['internal', 'internal', 'internal']);
  expect(await app.get(Metrics).registry.metrics()).toContain('run_internal_errors_total 3');
});
