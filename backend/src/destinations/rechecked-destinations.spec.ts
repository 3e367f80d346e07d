import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertsOf } from '../../test/alerts.js';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aDestination, anOrganization, expectStatus, type Organization } from '../../test/factories.js';
import { type HostilePostgres, startHostilePostgres } from '../../test/hostile-postgres.js';
import type { DestinationEntry } from './destinations.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp(sandboxSettings(sandbox.url));
});
beforeEach(async () => {
  await sandbox.clearFaults();
  organization = await anOrganization(app);
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const check = async (id: string): Promise<DestinationEntry> =>
  expectStatus(await organization.call.post<DestinationEntry>(`${organization.path}/destinations/${id}/check`), 200).body;
const failedItem = ({ lastCheck }: DestinationEntry) => lastCheck?.items.find(({ state }) => state === 'failed');
const alerts = async () => (await alertsOf(organization)).items.map(({ kind }) => kind);

/** Changes stored settings, as if something else had changed where they lead to. */
async function change(id: string, settings: object, target = settings): Promise<void> {
  await app.database.query('update destinations set settings = settings || $2::jsonb where id = $1', [
    id,
    JSON.stringify(settings),
  ]);
  await app.database.query(
    `update apps set credential_target = credential_target || $2::jsonb where id = (select app_id from destinations where id = $1)`,
    [id, JSON.stringify(target)],
  );
}

describe('"Check again" of a Mixpanel destination', () => {
  const create = async () =>
    expectStatus(
      await organization.call.post<{ id: string }>(`${organization.path}/destinations`, {
        provider: 'mixpanel',
        name: 'Mixpanel',
        settings: { projectId: '3100001', residency: 'US' },
        credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
      }),
      201,
    ).body.id;

  it('keeps it ready and opens no alert while Mixpanel is unavailable', async () => {
    const id = await create();
    await sandbox.addFault({ provider: 'mixpanel', fault: 'unavailable', endpoint: 'app' });
    const destination = await check(id);
    expect(destination).toMatchObject({ state: 'ready', failure: null });
    expect(failedItem(destination)).toMatchObject({ code: 'signs_in' });
    expect(await alerts()).toEqual([]);
  });

  it('reports a missing permission as such', async () => {
    const id = await create();
    await change(id, { projectId: '999' }, {});
    expect(await check(id)).toMatchObject({ state: 'permission_denied', failure: { code: 'mixpanel.project' } });
    expect(await alerts()).toEqual(['destination.unreachable']);
  });

  it('keeps the problem that a run found while the hourly limit prevents a proof that it is solved', async () => {
    const id = await create();
    const failure = {
      class: 'config',
      code: 'mixpanel.x',
      message: 'Wrong region.',
      action: 'Correct it',
      providerRequestId: null,
    };
    await app.database.query(`update destinations set state = 'unreachable', failure = $2 where id = $1`, [id, failure]);
    const limits = (count: number) => sandbox.admin('mixpanel/limits', { queriesPerHour: count, exportsPerHour: count });
    await limits(0);
    try {
      const found = await check(id);
      expect(found.lastCheck?.items.some(({ state }) => state === 'skipped')).toBe(true);
      expect({ state: found.state, failure: found.failure }).toEqual({ state: 'unreachable', failure });
    } finally {
      await limits(60);
    }
    expect(await check(id)).toMatchObject({ state: 'ready', failure: null });
  });

  it('reports a wrong data residency as a wrong setting', async () => {
    const id = await create();
    await change(id, { residency: 'EU' });
    expect(await check(id)).toMatchObject({ state: 'unreachable', failure: { code: 'mixpanel.residency' } });
  });
});

describe('"Check again" of a PostgreSQL destination', () => {
  const servers: HostilePostgres[] = [];
  const moveTo = async (id: string, code: string, text: string) => {
    const server = await startHostilePostgres('rejects_sign_in', { code, text });
    servers.push(server);
    await change(id, { port: server.port, sslMode: 'disable' });
  };
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  it('keeps it ready and opens no alert while the server starts', async () => {
    const id = await aDestination(organization, warehouse);
    await moveTo(id, '57P03', 'the database system is starting up');
    const destination = await check(id);
    expect(destination).toMatchObject({ state: 'ready', failure: null });
    expect(failedItem(destination)).toMatchObject({ code: 'signs_in' });
    expect(await alerts()).toEqual([]);
  });

  it('reports a wrong setting as unreachable, and not as a missing permission', async () => {
    const id = await aDestination(organization, warehouse);
    await change(id, { database: 'not_there' });
    expect(await check(id)).toMatchObject({ state: 'unreachable', failure: { code: 'postgresql.database' } });
    expect(await alerts()).toEqual(['destination.unreachable']);
  });
});
