import { randomBytes, randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, startTestApp, type TestApp, testSettings } from '../../../test/app.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { aDestination, anOrganization, eventually, type Organization } from '../../../test/factories.js';
import { tokenFor } from '../../../test/http.js';
import { Database } from '../database/database.js';
import { Outbox, withoutOrganization } from '../outbox/outbox.js';
import { RotateKeys } from './rotate-keys.js';
import { Secrets } from './secrets.js';

const OLD = Buffer.alloc(32, 7).toString('base64');
const NEW = randomBytes(32).toString('base64');
const SECRETS = 60;
/** Other processes load new keys within a minute, in tests sooner. Secrets that they encrypt until then must not be lost. */
const RING_LIFETIME_MS = 200;

let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
let running: NestExpressApplication[] = [];
let places: { organizationId: string; table: 'apps'; column: 'credentials'; rowId: string }[];

beforeAll(async () => {
  warehouse = await startWarehouse();
});
afterAll(() => warehouse?.stop());
beforeEach(async () => {
  app = await startTestApp({ ENCRYPTION_KEY: OLD });
  organization = await anOrganization(app);
  const organizations = [organization, await anOrganization(app), await anOrganization(app)];
  places = Array.from({ length: SECRETS }, (_, index) => ({
    organizationId: organizations[index % organizations.length]?.id ?? '',
    table: 'apps',
    column: 'credentials',
    rowId: randomUUID(),
  }));
  for (const [index, place] of places.entries()) {
    const credentials = await app.get(Secrets).encrypt(place, { password: `secret ${index}` });
    const { organizationId, rowId: id } = place;
    const rest = { provider: 'postgresql', displayName: 'x', authMode: 'password', createdBy: 'x' } as const;
    await app.get(Database).prisma.app.create({ data: { id, organizationId, credentials, ...rest } });
  }
});
afterEach(async () => {
  for (const process of running) await process.close();
  running = [];
  await app?.stop();
});

/** Another process of the same installation, with keys of its own. */
async function startProcess(keys: { ENCRYPTION_KEY: string; ENCRYPTION_KEY_PREVIOUS?: string }): Promise<NestExpressApplication> {
  const process = await createTestApp(testSettings(app.database.url, keys));
  running.push(process);
  await process.listen(0, '127.0.0.1');
  return process;
}

async function openAll(process: NestExpressApplication): Promise<unknown[]> {
  const rows = await app.database.query<{ id: string; credentials: string }>('select id, credentials from apps');
  const envelopes = new Map(rows.map(({ id, credentials }) => [id, credentials]));
  return Promise.all(places.map((place) => process.get(Secrets).decrypt(place, envelopes.get(place.rowId) ?? '')));
}
const everySecret = Array.from({ length: SECRETS }, (_, index) => ({ password: `secret ${index}` }));
const both = { ENCRYPTION_KEY: NEW, ENCRYPTION_KEY_PREVIOUS: OLD };

describe('the key-encryption key', () => {
  it('is replaced while the API decrypts secrets, and the old key then decrypts nothing', async () => {
    const destinationId = await aDestination(organization, warehouse);
    await app.get(Database).transaction(async (query) => {
      await app.get(Outbox).add(withoutOrganization(query), { kind: 'mail', name: 'queued', content: { to: 'nobody' } });
    });
    const api = await startProcess(both);
    const readings = readUntilStopped(await api.getUrl(), destinationId);
    const done = await (await startProcess(both)).get(RotateKeys).run();
    const statuses = await readings.stop();
    expect(done).toMatchObject({ dataKeysWrapped: 3, reencrypted: 0, dataKeysMade: 0 });
    expect(done.wrapped).toBeGreaterThan(0);
    expect(statuses.length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(await openAll(await startProcess({ ENCRYPTION_KEY: NEW }))).toEqual(everySecret);
    await expect(openAll(await startProcess({ ENCRYPTION_KEY: OLD }))).rejects.toThrow();
    const [message] = await app.database.query<{ content: string }>('select content from outbox_messages where name = $1', [
      'queued',
    ]);
    const onlyNew = await startProcess({ ENCRYPTION_KEY: NEW });
    expect(onlyNew.get(Secrets).unwrap('outbox', message?.content ?? '')).toEqual({ to: 'nobody' });
  });

  it('is replaced without reading all messages for each of them', async () => {
    const MESSAGES = 2_000;
    await app.get(Database).transaction(async (query) => {
      await app.get(Outbox).add(withoutOrganization(query), { kind: 'mail', name: 'queued', content: { to: 'nobody' } });
    });
    await app.database.query(
      `insert into outbox_messages (id, kind, name, content)
       select gen_random_uuid(), kind, name, content from outbox_messages, generate_series(2, ${MESSAGES}) where name = 'queued'`,
    );
    await app.database.query('analyze outbox_messages');
    const rotating = await startProcess(both);
    expect((await rotating.get(RotateKeys).run()).wrapped).toBeGreaterThanOrEqual(MESSAGES);
    // PostgreSQL counts what a session has read when it ends.
    await running.pop()?.close();
    const counts = `select n_tup_upd::int as updated, seq_tup_read::int as read from pg_stat_user_tables where relname = 'outbox_messages'`;
    const [count] = await eventually(
      () => app.database.query<{ updated: number; read: number }>(counts),
      ([row]) => (row?.updated ?? 0) >= MESSAGES,
    );
    expect(count?.read).toBeLessThan(20 * MESSAGES);
  });

  it('is replaced once: a second rotation changes nothing', async () => {
    const rotation = (await startProcess(both)).get(RotateKeys);
    expect(await rotation.run()).toMatchObject({ dataKeysWrapped: 3 });
    expect(await rotation.run()).toEqual({ dataKeysWrapped: 0, wrapped: 0, dataKeysMade: 0, reencrypted: 0, dataKeysErased: 0 });
  });
});

describe('the data keys', () => {
  it('are replaced while the API decrypts secrets, and the old keys are deleted', async () => {
    const destinationId = await aDestination(organization, warehouse);
    const api = await startProcess({ ENCRYPTION_KEY: OLD });
    expect(await openAll(api)).toEqual(everySecret);
    const readings = readUntilStopped(await api.getUrl(), destinationId);
    const done = await app.get(RotateKeys).run({ withDataKeys: true, ringLifetimeMs: RING_LIFETIME_MS });
    const statuses = await readings.stop();
    expect(done).toMatchObject({ dataKeysMade: 3, reencrypted: SECRETS + 1, dataKeysErased: 3 });
    expect(statuses.length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(await openAll(api)).toEqual(everySecret);
    const rows = await app.database.query<{ credentials: string }>('select credentials from apps');
    expect(rows.every(({ credentials }) => credentials.startsWith('v2.'))).toBe(true);
    expect(await app.database.query('select distinct version from data_keys')).toEqual([{ version: 2 }]);
  });

  it('are deleted only after secrets that another process encrypted with the old key are re-encrypted', async () => {
    const [place] = places;
    if (!place) throw new Error('no secret');
    const late = await startProcess({ ENCRYPTION_KEY: OLD });
    await openAll(late);
    const rotating = app.get(RotateKeys).run({ withDataKeys: true, ringLifetimeMs: 1_500 });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const stale = await late.get(Secrets).encrypt(place, { password: 'secret 0' });
    expect(stale).toMatch(/^v1\./);
    await app.database.query('update apps set credentials = $2 where id = $1', [place.rowId, stale]);
    expect(await rotating).toMatchObject({ reencrypted: SECRETS + 1, dataKeysErased: 3 });
    expect(await openAll(late)).toEqual(everySecret);
    expect(await openAll(await startProcess({ ENCRYPTION_KEY: OLD }))).toEqual(everySecret);
  });

  it('are replaced completely when a rotation is restarted after an interruption', async () => {
    const half = places[SECRETS / 2]?.rowId;
    await app.database.query(`create function break_off() returns trigger language plpgsql as
      $$ begin if new.id = '${half}' then raise exception 'broken off'; end if; return new; end $$`);
    await app.database.query('create trigger break_off before update on apps for each row execute function break_off()');
    const rotation = app.get(RotateKeys);
    const options = { withDataKeys: true, ringLifetimeMs: RING_LIFETIME_MS };
    await expect(rotation.run(options)).rejects.toThrow('broken off');
    expect(await openAll(app.nest)).toEqual(everySecret);
    await app.database.query('drop trigger break_off on apps');
    const done = await rotation.run(options);
    expect(done).toMatchObject({ dataKeysMade: 0, dataKeysErased: 3 });
    expect(done.reencrypted).toBeGreaterThan(0);
    expect(done.reencrypted).toBeLessThan(SECRETS);
    expect(await openAll(await startProcess({ ENCRYPTION_KEY: OLD }))).toEqual(everySecret);
  });

  it('are replaced by one rotation at a time', async () => {
    const options = { withDataKeys: true, ringLifetimeMs: RING_LIFETIME_MS };
    const both = await Promise.allSettled([app.get(RotateKeys).run(options), app.get(RotateKeys).run(options)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

/** Checks a saved destination repeatedly. Each check decrypts its password. */
function readUntilStopped(url: string, destinationId: string): { stop(): Promise<number[]> } {
  const statuses: number[] = [];
  let isStopped = false;
  const reading = (async () => {
    do {
      const answer = await fetch(`${url}${organization.path}/destinations/${destinationId}/check`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokenFor(organization.owner)}` },
      });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    } while (!isStopped);
  })();
  return {
    stop: async () => {
      isStopped = true;
      await reading;
      return statuses;
    },
  };
}
