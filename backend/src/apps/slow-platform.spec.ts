import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, shortWaits, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import {
  aConnectedApp,
  aDestination,
  aDraftApp,
  anOrganization,
  aSource,
  authorize,
  daysAgo,
  eventually,
  expectStatus,
  type Organization,
} from '../../test/factories.js';
import type { SourceWindows } from '../sources/sources.dto.js';
import type { AppEventPage } from './app-use.dto.js';

const TIMEOUT_MS = 2_500;
const TOO_SLOW = 'Google Ads did not answer all requests within 2.5 s.';
const unavailable = { status: 503, body: { code: 'provider.unavailable', detail: TOO_SLOW } };

let sandbox: Sandbox;
let app: TestApp;
let organization: Organization;
let warehouse: Warehouse;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp(
    { ROLE: 'all', ...sandboxSettings(sandbox.url) },
    { ...shortWaits, providerTimeoutMs: TIMEOUT_MS, probeTimeoutMs: TIMEOUT_MS },
  );
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await sandbox.clearFaults();
  organization = await anOrganization(app);
});

const slow = () => sandbox.addFault({ fault: 'slow', delayMs: 20_000 });

describe('a platform that takes too long', () => {
  it('is named as the reason why a sign-in fails', async () => {
    const appId = await aDraftApp(organization, 'google_ads');
    await slow();
    expect(await authorize(organization, appId)).toMatchObject(unavailable);
  });

  it('is named as the reason why a check and a list of accounts fail', async () => {
    const appPath = `${organization.path}/apps/${await aConnectedApp(organization)}`;
    await app.database.query(`update apps set accounts_listed_at = now() - interval '1 hour'`);
    await slow();
    expect(await organization.call.post(`${appPath}/probe`)).toMatchObject(unavailable);
    expect(await organization.call.get(`${appPath}/accounts?refresh=true`)).toMatchObject(unavailable);
  });

  it('fails no job: its daily probe is in the history of the app, and repeated in an hour', async () => {
    const appId = await aConnectedApp(organization);
    await app.database.query(`update apps set next_probe_at = now() - interval '1 minute' where id = $1`, [appId]);
    await slow();
    await app.database.query(`select graphile_worker.add_job('probe-apps', '{}')`);
    const history = () => organization.call.get<AppEventPage>(`${organization.path}/apps/${appId}/history?limit=100`);
    const { body } = await eventually(history, ({ body: { items } }) => items.some(({ event }) => event === 'probe_failed'));
    expect(body.items.find(({ event }) => event === 'probe_failed')).toMatchObject({ detail: TOO_SLOW });
    const probes = () =>
      app.database.query<{ error: string | null }>(
        `select last_error as error from graphile_worker.jobs where task_identifier = 'probe-app' and locked_at is null`,
      );
    const isLocked = () =>
      app.database.query(`select id from graphile_worker.jobs where task_identifier = 'probe-app' and locked_at is not null`);
    await eventually(isLocked, (jobs) => jobs.length === 0);
    expect(await probes()).toEqual([]);
  });

  it('is named as the reason why an estimate fails', async () => {
    const sourceId = await aSource(organization);
    const destinationId = await aDestination(organization, warehouse);
    await slow();
    const answer = await organization.call.post(`${organization.path}/connections/estimate`, {
      ...{ sourceId, destinationId, streams: ['campaign_daily'], historyFrom: daysAgo(3) },
      schedule: { kind: 'manual', timeZone: 'UTC' },
    });
    expect(answer).toMatchObject(unavailable);
  });

  it('is named as the reason why the conversion actions of an account are not listed', async () => {
    const appId = await aConnectedApp(organization, 'demo@example.com', 'microsoft_ads');
    await sandbox.addFault({ provider: 'microsoft-ads', fault: 'slow', delayMs: 20_000 });
    const choice = { appId, accountId: '180500011' };
    expect(await organization.call.post(`${organization.path}/conversion-setup/targets`, choice)).toMatchObject({
      status: 503,
      body: { code: 'provider.unavailable', detail: expect.stringContaining('did not answer all requests within 2.5 s.') },
    });
  });

  it('is named beside the lookback windows that it did not report', async () => {
    const sourceId = await aSource(organization);
    await slow();
    const answer = await organization.call.get<SourceWindows>(`${organization.path}/sources/${sourceId}/windows?refresh=true`);
    expect(expectStatus(answer, 200).body.failure).toMatchObject({ class: 'transient', message: TOO_SLOW });
  });
});
