import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { anOrganization, aDestination, expectStatus } from '../../test/factories.js';
import { aPlatformScenario, type PlatformScenario } from '../../test/platform-scenario.js';
import { googleAds } from '../../test/platforms.js';
import type { DestinationTables, TestEvent } from './destinations.dto.js';

const [ACCOUNT] = googleAds.accounts;
const NOWHERE = '0190f2a0-0000-7000-8000-000000000000';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await sandbox.clearFaults();
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
});

const pathOf = (id: string) => `${scenario.organization.path}/destinations/${id}`;
const tablesOf = async (id: string) =>
  expectStatus(await scenario.organization.call.get<DestinationTables>(`${pathOf(id)}/tables`), 200).body.items;
const sendTo = (id: string) => scenario.organization.call.post<TestEvent>(`${pathOf(id)}/test-event`);

describe('the tables of a destination', () => {
  it('are empty while no connection writes to it, and return 404 to other organizations', async () => {
    const id = await aDestination(scenario.organization, warehouse);
    expect(await tablesOf(id)).toEqual([]);
    expect((await scenario.organization.call.get(`${pathOf(NOWHERE)}/tables`)).status).toBe(404);
    const outsider = await anOrganization(app);
    expect((await outsider.call.get(`${pathOf(id)}/tables`)).status).toBe(404);
    expect((await outsider.call.get(`${outsider.path}/destinations/${id}/tables`)).status).toBe(404);
  });

  it('are listed once each by their name in the warehouse, with their loaded rows', async () => {
    const id = await aDestination(scenario.organization, warehouse);
    const streams = ['campaign_daily', 'ad_group_daily'];
    const sourceId = await scenario.aSource({});
    await scenario.endedRun(await scenario.connectTo(id, { historyDays: 5, streams }, sourceId));
    await scenario.endedRun(await scenario.connectTo(id, { historyDays: 5, streams: ['campaign_daily'] }, sourceId));
    const tables = await tablesOf(id);
    expect(tables.map(({ table }) => table)).toEqual(['google_ads_ad_group_daily', 'google_ads_campaign_daily']);
    const { rows } = await scenario.atSource(ACCOUNT, 'ad_group_daily', 5);
    expect(tables[0]).toMatchObject({ stream: 'ad_group_daily', rows, lastLoadedAt: expect.any(String) });
    for (const { bytes } of tables) expect(bytes).toBeGreaterThan(0);
  });

  it('are listed without rows if none were loaded', async () => {
    await scenario.fault('truncate_rows');
    const id = await aDestination(scenario.organization, warehouse);
    expect((await scenario.endedRun(await scenario.connectTo(id, { historyDays: 5, streams: ['campaign_daily'] }))).state).toBe(
      'failed',
    );
    expect(await tablesOf(id)).toEqual([
      { table: 'google_ads_campaign_daily', stream: 'campaign_daily', rows: null, bytes: null, lastLoadedAt: null },
    ]);
  });
});

describe('a test event', () => {
  const fault = (name: string) => sandbox.addFault({ provider: 'mixpanel', fault: name });

  async function aMixpanel(): Promise<string> {
    const body = {
      provider: 'mixpanel',
      name: 'Mixpanel',
      settings: { projectId: '3100001', residency: 'US', eventName: `Ad Data ${scenario.organization.id.slice(-8)}` },
      credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
    };
    return expectStatus(
      await scenario.organization.call.post<{ id: string }>(`${scenario.organization.path}/destinations`, body),
      201,
    ).body.id;
  }

  it('is skipped with a message if the destination stores tables', async () => {
    const id = await aDestination(scenario.organization, warehouse);
    expect(expectStatus(await sendTo(id), 200).body.items).toEqual([
      expect.objectContaining({ code: 'test_event', state: 'skipped', detail: 'PostgreSQL stores tables, not events.' }),
    ]);
    expect((await sendTo(NOWHERE)).status).toBe(404);
  });

  it('arrives if the destination accepts events', async () => {
    const id = await aMixpanel();
    const { items } = expectStatus(await sendTo(id), 200).body;
    expect(items).toEqual([expect.objectContaining({ state: 'passed' })]);
  });

  it.each([
    ['is down', 'unavailable'],
    ['rejects the credentials', 'revoke'],
  ])('fails while the destination %s', async (_, name) => {
    const id = await aMixpanel();
    await fault(name);
    const { status, body } = await sendTo(id);
    const isRefused = status >= 400 || body.items.some(({ state, action }) => state === 'failed' && action !== null);
    expect(isRefused).toBe(true);
  });
});
