import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aConnectedApp, aConnection, aDestination, anOrganization, aSource, expectStatus, type Organization } from '../../test/factories.js'; // prettier-ignore
import { aMember } from '../../test/teams.js';
import { PURGED_KINDS, PurgeDeletedResources } from '../organizations/deletion/purge-deleted-resources.js';

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  organization = await anOrganization(app);
});

const at = (kind: 'sources' | 'destinations' | 'apps' | 'connections', id: string) => `${organization.path}/${kind}/${id}`;
const remove = async (path: string) => expectStatus(await organization.call.delete(path), 204);
const restore = (path: string) => organization.call.post<{ id: string; state: string }>(`${path}/restore`);
const age = (days: number) =>
  Promise.all(
    ['connections', 'sources', 'destinations', 'apps'].map((table) =>
      app.database.query(
        `update ${table} set deleted_at = now() - make_interval(days => $2) where organization_id = $1 and deleted_at is not null`,
        [organization.id, days],
      ),
    ),
  );
const idsIn = async (table: string) =>
  (await app.database.query<{ id: string }>(`select id from ${table} where organization_id = $1`, [organization.id])).map(
    ({ id }) => id,
  );

describe('a deleted source', () => {
  it('cannot be restored after its app was deleted, with an action in the error', async () => {
    const appId = await aConnectedApp(organization);
    const path = at('sources', await aSource(organization, { appId }));
    await remove(path);
    await remove(at('apps', appId));
    expect(await restore(path)).toMatchObject({
      status: 409,
      body: { code: 'source.app_gone', detail: expect.stringContaining('credentials are erased'), action: expect.any(String) },
    });
    expect((await organization.call.get(path)).status).toBe(404);
  });

  it('cannot be restored after 30 days, by a user without permission, or in another organization', async () => {
    const path = at('sources', await aSource(organization));
    await remove(path);
    const viewer = await aMember(app, organization, 'viewer');
    expect((await viewer.call.post(`${path}/restore`)).status).toBe(403);
    const other = await anOrganization(app);
    expect((await other.call.post(path.replace(organization.id, other.id) + '/restore')).status).toBe(404);
    await age(31);
    expect((await restore(path)).status).toBe(404);
  });

  it('is restored unchanged and once for repeated requests, next to another source of the same name', async () => {
    const appId = await aConnectedApp(organization);
    const id = await aSource(organization, { appId });
    const before = (await organization.call.get(at('sources', id))).body;
    await remove(at('sources', id));
    await aSource(organization, { appId });
    await age(29);
    const answers = await Promise.all(Array.from({ length: 5 }, () => restore(at('sources', id))));
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 200, body: before });
    const trail = await app.database.query(
      `select 1 from audit_events where organization_id = $1 and action = 'source.restored'`,
      [organization.id],
    );
    expect(trail).toHaveLength(1);
  });
});

describe('a deleted destination', () => {
  it('cannot be restored after 30 days', async () => {
    const path = at('destinations', await aDestination(organization, warehouse));
    await remove(path);
    await age(31);
    expect((await restore(path)).status).toBe(404);
  });

  it('can be restored before its connection', async () => {
    const connection = await aConnection(organization, warehouse, { historyDays: 2 });
    const { body } = await organization.call.get<{ source: { id: string }; destination: { id: string } }>(connection.path);
    await remove(connection.path);
    await remove(at('destinations', body.destination.id));
    await remove(at('sources', body.source.id));
    expect((await restore(connection.path)).body).toMatchObject({ code: 'connection.parts_gone' });
    expectStatus(await restore(at('destinations', body.destination.id)), 200);
    expectStatus(await restore(at('sources', body.source.id)), 200);
    expectStatus(await restore(connection.path), 200);
  });
});

describe('the purge', () => {
  it('keeps resources that can be restored or are in use', async () => {
    const connection = await aConnection(organization, warehouse, { historyDays: 2 });
    await remove(connection.path);
    await age(29);
    await app.get(PurgeDeletedResources).purge();
    expect(await idsIn('connections')).toEqual([connection.id]);
    await age(31);
    await app.get(PurgeDeletedResources).purge();
    expect(await idsIn('connections')).toEqual([]);
    expect([await idsIn('sources'), await idsIn('destinations'), await idsIn('apps')].map(({ length }) => length)).toEqual([
      1, 1, 2,
    ]);
  });

  it('deletes a destination with its encrypted password, a source, and the app that was deleted after it', async () => {
    const appId = await aConnectedApp(organization);
    const sourceId = await aSource(organization, { appId });
    await remove(at('destinations', await aDestination(organization, warehouse)));
    await remove(at('sources', sourceId));
    await remove(at('apps', appId));
    expect(await idsIn('apps')).toHaveLength(2);
    await age(31);
    await app.get(PurgeDeletedResources).purge();
    expect(await Promise.all(['sources', 'destinations', 'apps'].map(idsIn))).toEqual([[], [], []]);
  });

  it('handles every table that refers to purged rows', async () => {
    const references = await app.database.query<{ table: string; of: string }>(
      `select distinct conrelid::regclass::text as table, confrelid::regclass::text as of from pg_constraint
        where contype = 'f' and conparentid = 0 and confrelid::regclass::text = any($1) order by 1, 2`,
      [['runs', ...PURGED_KINDS.map(({ table }) => table)]],
    );
    const known = PURGED_KINDS.flatMap(({ table, parts, users }) =>
      [...parts, ...users].map((one) => `${one.table} of ${table}`),
    );
    const ofRuns = ['run_log_entries of runs', 'run_slices of runs'];
    const unknown = references.map((one) => `${one.table} of ${one.of}`).filter((one) => ![...known, ...ofRuns].includes(one));
    expect(unknown).toEqual([]);
  });
});
