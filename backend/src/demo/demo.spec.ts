import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { anOrganization, aUser, eventually, expectStatus, type Organization } from '../../test/factories.js';
import { PlatformScenario } from '../../test/platform-scenario.js';
import { googleAds, metaAds } from '../../test/platforms.js';
import type { DemoTour } from './demo.dto.js';

const DEMO_EMAIL = 'demo@example.com';
const FAULTS = '/api/v1/demo/faults';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let connection: string;
let organization: Organization;

beforeAll(async () => {
  warehouse = await startWarehouse();
  const { user, password, host, port, database } = warehouse.settings;
  sandbox = await startSandbox({ SANDBOX_WAREHOUSE_URL: `postgresql://${user}:${password}@${host}:${port}/${database}` });
  const demo = { IS_DEMO: 'true', HOST: '127.0.0.1', DEMO_EMAIL, SANDBOX_URL: sandbox.url };
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url), ...demo });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
  await warehouse?.stop();
});
beforeEach(() => sandbox.clearFaults());

const anyone = (instance: TestApp) => instance.http.withHeaders({});
const tour = async () => expectStatus(await anyone(app).get<DemoTour>('/api/v1/demo'), 200).body;
const cause = (name: string) => anyone(app).post<DemoTour>(FAULTS, { name });
const ended = () =>
  eventually(
    async () => {
      await scenario.makeWaitingRunsDue();
      return tour();
    },
    (found) => found.connection.activeRun === null,
  );

describe('before the demo user has a connection', () => {
  it('there is no tour, although another organization has a connection', async () => {
    const other = await anOrganization(app);
    await new PlatformScenario(app, sandbox, warehouse, other, googleAds).connect({
      historyDays: 3,
      streams: ['campaign_daily'],
    });
    const answer = await anyone(app).get('/api/v1/demo');
    expect(expectStatus(answer, 404).body).toMatchObject({ code: 'demo.off', action: 'Start a demo with make start' });
  });
});

describe('the tour of a demo', () => {
  beforeAll(async () => {
    organization = await anOrganization(app, await aUser(app, { email: DEMO_EMAIL }));
    scenario = new PlatformScenario(app, sandbox, warehouse, organization, googleAds);
    connection = await scenario.connect({ historyDays: 20, streams: ['campaign_daily'] });
    await scenario.endedRun(connection);
  });

  it('shows the connection of the demo user and its runs without a sign-in', async () => {
    const { connection: shown, runs, isLosingRows } = await tour();
    expect(connection).toContain(shown.id);
    expect(shown).toMatchObject({ health: 'healthy', lastRun: { verify: { rows: true, cost: true } } });
    expect(runs).toMatchObject([{ state: 'succeeded' }]);
    expect(isLosingRows).toBe(false);
  });

  it('stays at the connection that its faults change when others with earlier dates are added', async () => {
    const others = new PlatformScenario(app, sandbox, warehouse, organization, metaAds);
    const other = await others.connect({ historyDays: 3, streams: ['campaign_daily'] });
    await others.endedRun(other);
    await app.database.query(`update connections set created_at = now() - interval '90 days' where id <> $1`, [
      (await tour()).connection.id,
    ]);
    expect((await tour()).connection).toMatchObject({
      source: { provider: 'google_ads' },
      destination: { provider: 'postgresql' },
    });
    expect(connection).toContain((await tour()).connection.id);
  });

  it.each(['expire_token', 'throttle'])('recovers from %s within the run', async (name) => {
    expect(expectStatus(await cause(name), 202).body.connection.activeRun).not.toBeNull();
    expect((await ended()).runs[0]).toMatchObject({ state: 'succeeded', verify: { rows: true } });
  });

  it('loads restated days again', async () => {
    const [account] = (await tour()).connection.source.accounts;
    const rowsOf = async () => scenario.atWarehouse(account?.externalId ?? '', 'campaign_daily');
    const before = await rowsOf();
    expectStatus(await cause('restate'), 202);
    await ended();
    expect(await rowsOf()).not.toEqual(before);
    await scenario.expectEqualSums([googleAds.accounts[0]], 20, ['campaign_daily']);
  });

  it('shows lost rows until the repair has loaded them', async () => {
    expect(expectStatus(await cause('drop_rows'), 202).body.isLosingRows).toBe(true);
    const lost = await ended();
    expect(lost.connection.health).not.toBe('healthy');
    expect(lost.runs[0]?.verify).toMatchObject({ rows: false });
    expectStatus(await anyone(app).post('/api/v1/demo/repair'), 202);
    const repaired = await ended();
    expect(repaired).toMatchObject({ isLosingRows: false, connection: { health: 'healthy' } });
    expect(repaired.runs[0]?.verify).toMatchObject({ rows: true, cost: true });
    await scenario.expectEqualSums([googleAds.accounts[0]], 20, ['campaign_daily']);
  });

  it('rejects a second fault while a run is active', async () => {
    await sandbox.addFault({ fault: 'slow', delayMs: 1_000 });
    expectStatus(await cause('expire_token'), 202);
    expect(expectStatus(await cause('throttle'), 409).body).toMatchObject({ code: 'demo.busy' });
    await ended();
  });

  it('rejects an unknown fault', async () => {
    expectStatus(await cause('drop_database'), 400);
  });
});

it('an instance that is no demo has no tour', async () => {
  const other = await startTestApp({ DEMO_EMAIL, SANDBOX_URL: sandbox.url });
  expectStatus(await anyone(other).get('/api/v1/demo'), 404);
  expectStatus(await anyone(other).post(FAULTS, { name: 'throttle' }), 404);
  await other.stop();
});
