import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { eventually, expectStatus } from '../../factories.js';
import { aPlatformScenario } from '../../platform-scenario.js';
import { googleAds } from '../../platforms.js';

const HISTORY_DAYS = 4;

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

it('a destination that rejects its credentials is reported everywhere, and missed days load once new ones are entered', async () => {
  const scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  const { call, path } = scenario.organization;
  const credentials = { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' };
  const settings = { projectId: '3100001', residency: 'US', eventName: 'Ad Data of refused credentials' };
  const made = await call.post<{ id: string }>(`${path}/destinations`, { provider: 'mixpanel', name: 'Mixpanel', settings, credentials }); // prettier-ignore
  const destination = `${path}/destinations/${expectStatus(made, 201).body.id}`;
  const connection = await scenario.connectTo(made.body.id, { historyDays: HISTORY_DAYS, streams: ['campaign_daily'] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });

  await sandbox.addFault({ provider: 'mixpanel', fault: 'revoke' });
  const failure = { class: 'auth', code: 'mixpanel.http_401', action: 'Update the credentials' };
  expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed', failure });
  expect((await call.get(connection)).body).toMatchObject({
    health: 'needs_reauth',
    healthReason: 'Mixpanel rejects the credentials',
    endedAccess: 'destination',
    failure,
  });
  const dead = expectStatus(await call.get<{ state: string; version: number }>(destination), 200).body;
  expect(dead).toMatchObject({ state: 'needs_reauth', failure });
  // Runs that start in the meantime end with the same action.
  expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed', failure });

  const refused = await call.patch(destination, { version: dead.version, credentials });
  expect(refused).toMatchObject({ status: 422, body: { action: 'Update the credentials' } });
  await sandbox.clearFaults();
  expectStatus(await call.patch(destination, { version: dead.version, credentials }), 200);
  const caughtUp = await eventually(
    () => scenario.newestRun(connection),
    ({ kind, endedAt }) => kind === 'catch_up' && endedAt !== null,
  );
  expect(caughtUp).toMatchObject({ trigger: 'reconnect', state: 'succeeded' });
  expect((await call.get(connection)).body).toMatchObject({ health: 'healthy', endedAccess: null, failure: null });
});
