import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aDestination, anOrganization, destinationBody, expectStatus, type Organization } from '../../test/factories.js';
import { type HostilePostgres, startHostilePostgres } from '../../test/hostile-postgres.js';
import type { DestinationCheck, DestinationEntry } from './destinations.dto.js';

let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
let attacker: HostilePostgres;
let destinationId: string;
let path: string;

beforeAll(async () => {
  app = await startTestApp();
  warehouse = await startWarehouse();
});
afterAll(async () => {
  await app?.stop();
  await warehouse?.stop();
});
beforeEach(async () => {
  attacker = await startHostilePostgres('asks_clear_text');
  organization = await anOrganization(app);
  destinationId = await aDestination(organization, warehouse);
  path = `${organization.path}/destinations`;
});
afterEach(() => attacker.stop());

const settingsWith = (changes: object): Record<string, unknown> => ({
  ...(destinationBody(warehouse)['settings'] as object),
  ...changes,
});
const toAttacker = () => settingsWith({ host: '127.0.0.1', port: attacker.port, sslMode: 'disable' });
const appIdOf = async (id: string): Promise<string> =>
  (await organization.call.get<DestinationEntry>(`${path}/${id}`)).body.appId;
const REFUSED = {
  status: 422,
  body: {
    code: 'destination.credentials_required',
    action: 'Enter the password again',
    errors: [{ field: 'credentials', message: expect.any(String) }],
  },
};

describe('the stored password of a destination', () => {
  it('is not sent to the host of a check', async () => {
    const body = { provider: 'postgresql', settings: toAttacker(), destinationId };
    expect(await organization.call.post(`${path}/check`, body)).toMatchObject(REFUSED);
    expect([attacker.passwords, attacker.connections()]).toEqual([[], 0]);
  });

  it('is not sent to the host of a check that uses its app', async () => {
    const body = { provider: 'postgresql', settings: toAttacker(), appId: await appIdOf(destinationId) };
    expect(await organization.call.post(`${path}/check`, body)).toMatchObject(REFUSED);
    expect([attacker.passwords, attacker.connections()]).toEqual([[], 0]);
  });

  it('is not sent to the host of a new destination that uses its app', async () => {
    const body = { provider: 'postgresql', name: 'Other', settings: toAttacker(), appId: await appIdOf(destinationId) };
    expect(await organization.call.post(path, body)).toMatchObject(REFUSED);
    expect([attacker.passwords, attacker.connections()]).toEqual([[], 0]);
  });

  it('is not sent to the host of a change, and nothing is changed', async () => {
    const body = { settings: toAttacker(), version: 1 };
    expect(await organization.call.patch(`${path}/${destinationId}`, body)).toMatchObject(REFUSED);
    expect([attacker.passwords, attacker.connections()]).toEqual([[], 0]);
    const { body: entry } = await organization.call.get<DestinationEntry>(`${path}/${destinationId}`);
    expect(entry).toMatchObject({ version: 1, settings: { port: warehouse.settings.port } });
  });

  it('is not sent to settings that were changed directly in the database', async () => {
    await app.database.query('update destinations set settings = settings || $2 where id = $1', [
      destinationId,
      JSON.stringify({ port: attacker.port, sslMode: 'disable' }),
    ]);
    expect(await organization.call.post(`${path}/${destinationId}/check`)).toMatchObject(REFUSED);
    expect([attacker.passwords, attacker.connections()]).toEqual([[], 0]);
  });

  it.each<[string, object]>([
    ['host', { host: 'other.example.com' }],
    ['database', { database: 'other' }],
    ['user', { user: 'other' }],
    ['TLS mode', { sslMode: 'disable' }],
  ])('is not used for another %s', async (_what, changes) => {
    const body = { provider: 'postgresql', settings: settingsWith(changes), destinationId };
    expect(await organization.call.post(`${path}/check`, body)).toMatchObject(REFUSED);
  });

  it('is used for another schema or prefix, and for the same host in other letter case', async () => {
    const named = { ...warehouse, settings: { ...warehouse.settings, host: 'localhost' } };
    const id = await aDestination(organization, named);
    const settings = settingsWith({ host: 'LocalHost', schema: 'ads', tablePrefix: 'a_' });
    const { body } = expectStatus(
      await organization.call.post<DestinationCheck>(`${path}/check`, { provider: 'postgresql', settings, destinationId: id }),
      200,
    );
    expect(body.isPassed).toBe(true);
    expectStatus(await organization.call.patch(`${path}/${id}`, { settings, version: 1 }), 200);
    expect(expectStatus(await organization.call.post<DestinationEntry>(`${path}/${id}/check`), 200).body.state).toBe('ready');
  });

  it('can be replaced together with the host, and is then used only for the new one', async () => {
    const settings = settingsWith({ host: 'localhost' });
    const credentials = { password: warehouse.settings.password };
    expectStatus(await organization.call.patch(`${path}/${destinationId}`, { settings, credentials, version: 1 }), 200);
    expectStatus(await organization.call.post(`${path}/${destinationId}/check`), 200);
    const before = { provider: 'postgresql', settings: settingsWith({}), destinationId };
    expect(await organization.call.post(`${path}/check`, before)).toMatchObject(REFUSED);
  });

  it('stays with the second destination of the app when the first one changes its host', async () => {
    const body = {
      provider: 'postgresql',
      name: 'Second',
      settings: settingsWith({ schema: 'b' }),
      appId: await appIdOf(destinationId),
    };
    const second = expectStatus(await organization.call.post<DestinationEntry>(path, body), 201).body;
    const moved = {
      settings: settingsWith({ host: 'localhost' }),
      credentials: { password: warehouse.settings.password },
      version: 1,
    };
    expectStatus(await organization.call.patch(`${path}/${second.id}`, moved), 200);
    for (const id of [destinationId, second.id]) {
      const { body: entry } = expectStatus(await organization.call.post<DestinationEntry>(`${path}/${id}/check`), 200);
      expect(entry.state).toBe('ready');
    }
  });

  it('is restored with its destination, for the same server only', async () => {
    expectStatus(await organization.call.delete(`${path}/${destinationId}`), 204);
    expectStatus(await organization.call.post(`${path}/${destinationId}/restore`), 200);
    expectStatus(await organization.call.post(`${path}/${destinationId}/check`), 200);
    const body = { provider: 'postgresql', settings: toAttacker(), destinationId };
    expect(await organization.call.post(`${path}/check`, body)).toMatchObject(REFUSED);
  });
});
