import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aDestination, anOrganization, destinationBody, expectStatus, type Organization } from '../../test/factories.js';
import type { DestinationCheck, DestinationEntry, DestinationPage } from './destinations.dto.js';

let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  warehouse = await startWarehouse();
  organization = await anOrganization(app);
});
afterEach(() => warehouse.stop());

const changed = (settings: object, credentials: object = { password: warehouse.settings.password }) => {
  const body = destinationBody(warehouse);
  return { ...body, settings: { ...(body['settings'] as object), ...settings }, credentials };
};
const listed = async (): Promise<DestinationEntry[]> =>
  (await organization.call.get<DestinationPage>(`${organization.path}/destinations`)).body.items;

describe('a destination', () => {
  it('is saved with its check and never returns its password', async () => {
    const id = await aDestination(organization, warehouse);
    const { body } = await organization.call.get<DestinationEntry>(`${organization.path}/destinations/${id}`);
    expect(body).toMatchObject({ state: 'ready', failure: null });
    expect(body.lastCheck?.items.every((item) => item.state === 'passed')).toBe(true);
    expect(JSON.stringify(body)).not.toMatch(/"(password|credentials)":/i);
    expect(
      await app.database.query("select 1 from apps where position($1 in coalesce(credentials, '')) > 0", [
        warehouse.settings.password,
      ]),
    ).toEqual([]);
  });

  it.each<[string, () => object, string]>([
    ['a wrong password', () => changed({}, { password: 'not-it' }), 'signs_in'],
    ['an unreachable port', () => changed({ port: 1 }), 'connects'],
    ['a host that does not exist', () => changed({ host: 'nowhere.invalid' }), 'connects'],
    ['an unknown database', () => changed({ database: 'not_there' }), 'database'],
  ])('with %s is rejected with the failed item, its cause and one action, and is not saved', async (_what, body, item) => {
    const answer = await organization.call.post(`${organization.path}/destinations`, body());
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'destination.check_failed', detail: expect.any(String), action: expect.any(String) },
    });
    const checks = answer.body['checks'] as DestinationCheck['items'];
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([
      expect.objectContaining({ code: item, action: expect.any(String) }),
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('not-it');
    expect(await listed()).toEqual([]);
    expect((await organization.call.get<{ items: unknown[] }>(`${organization.path}/apps`)).body.items).toEqual([]);
  });

  it('can be checked without being saved', async () => {
    const { name: _name, ...body } = changed({ port: 1 }) as Record<string, unknown>;
    const { body: check } = expectStatus(
      await organization.call.post<DestinationCheck>(`${organization.path}/destinations/check`, body),
      200,
    );
    expect(check.isPassed).toBe(false);
    expect(await listed()).toEqual([]);
  });

  it('names the setting that is wrong', async () => {
    const answer = await organization.call.post(`${organization.path}/destinations`, changed({ port: 99_999, host: 'http://x' }));
    expect(answer.status).toBe(400);
    expect((answer.body['errors'] as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'settings.host',
      'settings.port',
    ]);
  });

  it('keeps its password if only the name changes, and keeps all settings if the new ones fail', async () => {
    const id = await aDestination(organization, warehouse);
    const path = `${organization.path}/destinations/${id}`;
    expectStatus(await organization.call.patch(path, { name: 'Renamed', version: 1 }), 200);
    expect((await organization.call.patch(path, { credentials: { password: 'not-it' }, version: 2 })).status).toBe(422);
    expect(expectStatus(await organization.call.post<DestinationEntry>(`${path}/check`), 200).body).toMatchObject({
      name: 'Renamed',
      state: 'ready',
    });
  });

  it('becomes unreachable when a new check fails', async () => {
    const id = await aDestination(organization, warehouse);
    await app.database.query(`update destinations set settings = settings || '{"port": 1}' where id = $1`, [id]);
    await app.database.query(
      `update apps set credential_target = credential_target || '{"port": 1}' where id = (select app_id from destinations where id = $1)`,
      [id],
    );
    const { body } = expectStatus(
      await organization.call.post<DestinationEntry>(`${organization.path}/destinations/${id}/check`),
      200,
    );
    expect(body).toMatchObject({ state: 'unreachable', failure: { class: 'destination', action: expect.any(String) } });
  });

  it('is deleted with the app that stores its password, and both are restored together', async () => {
    const id = await aDestination(organization, warehouse);
    const { path, call } = organization;
    const appsOf = async () => (await call.get<{ items: unknown[] }>(`${path}/apps`)).body.items;
    expectStatus(await call.delete(`${path}/destinations/${id}`), 204);
    expect([await listed(), await appsOf()]).toEqual([[], []]);
    const { body } = expectStatus(await call.post<DestinationEntry>(`${path}/destinations/${id}/restore`), 200);
    expect(body).toMatchObject({ id, state: 'ready', name: 'Warehouse' });
    expect([await listed(), await appsOf()]).toEqual([[expect.objectContaining({ id })], [expect.anything()]]);
    // It can be written to again without entering credentials.
    expect((await call.post<DestinationEntry>(`${path}/destinations/${id}/check`)).body).toMatchObject({ state: 'ready' });
  });
});
