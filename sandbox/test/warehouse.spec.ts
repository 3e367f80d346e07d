import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../tools/postgres/test-database.ts';
import { startGoogle } from './google.ts';

let server: TestDatabase;
let sandbox: Awaited<ReturnType<typeof startGoogle>>;
let client: pg.Client;
const database = `sandbox_${process.pid}`;

beforeAll(async () => {
  server = await startTestDatabase();
  await onServer(`CREATE DATABASE ${database}`);
  const warehouseUrl = Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
  sandbox = await startGoogle({ warehouseUrl });
  client = new pg.Client(warehouseUrl);
  await client.connect();
  await client.query('CREATE TABLE rows (id int PRIMARY KEY); CREATE TABLE _tributary_coverage (id int)');
});
afterEach(async () => {
  await sandbox.admin('faults', undefined, 'DELETE');
});
afterAll(async () => {
  await sandbox.close();
  await client.end();
  await onServer(`DROP DATABASE ${database}`);
  await server.stop();
});

async function onServer(sql: string): Promise<void> {
  const direct = new pg.Client(server.url);
  await direct.connect();
  await direct.query(sql);
  await direct.end();
}

const fault = (name: string, parameters: object = {}) =>
  sandbox.admin('faults', { provider: 'postgresql', fault: name, ...parameters });
async function insert(table: string): Promise<[number | null, number]> {
  await client.query(`DELETE FROM ${table}`);
  const inserted = await client.query(`INSERT INTO ${table} SELECT generate_series(1, 100)`);
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return [inserted.rowCount, rows[0]!.count];
}

describe('a warehouse that drops rows', () => {
  it('rejects a fault that it cannot install', async () => {
    expect((await fault('drop_rows', { everyNth: 0 })).status).toBe(400);
  });

  it('loses every 20th row of old and new tables except Tributary’s own, and stops when cleared', async () => {
    expect((await fault('drop_rows')).status).toBe(201);
    expect((await insert('rows'))[1]).toBe(95);
    await client.query('CREATE TABLE later (id int); CREATE TABLE merged (id int)');
    expect((await insert('later'))[1]).toBe(95);
    expect((await insert('_tributary_coverage'))[1]).toBe(100);
    await client.query(
      'MERGE INTO merged USING (SELECT generate_series(1, 100) AS id) AS s ON merged.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (s.id)',
    );
    expect((await client.query('SELECT FROM merged')).rowCount).toBe(95);
    await sandbox.admin('faults', undefined, 'DELETE');
    expect(await insert('rows')).toEqual([100, 100]);
    expect(await insert('later')).toEqual([100, 100]);
  });
});

describe('a fault of a warehouse while a load writes to several tables', () => {
  const waiting = async () =>
    (await client.query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")).rowCount;

  beforeAll(() => client.query('CREATE TABLE one (id int); CREATE TABLE two (id int)'));
  afterAll(() => client.query('DROP TABLE one, two'));

  /** Writes to the tables in this order, and starts the change between them. */
  async function loadDuring(tables: string[], change: () => Promise<{ status: number }>): Promise<number> {
    const load = new pg.Client(Object.assign(new URL(server.url), { pathname: `/${database}` }).href);
    await load.connect();
    await load.query('BEGIN');
    await load.query(`INSERT INTO ${tables[0]} VALUES (1)`);
    const changing = change();
    await vi.waitUntil(async () => (await waiting()) === 1, { timeout: 30_000 });
    await load.query(`INSERT INTO ${tables[1]} VALUES (1)`);
    await load.query('COMMIT');
    await load.end();
    return (await changing).status;
  }

  it.each([[['one', 'two']], [['two', 'one']]])('is added and cleared without a deadlock: %s', async (tables) => {
    const add = () => fault('drop_rows');
    const clear = () => sandbox.admin('faults', undefined, 'DELETE');
    expect(await loadDuring(tables, add)).toBe(201);
    expect(await loadDuring(tables, clear)).toBeLessThan(300);
    expect(await insert('one')).toEqual([100, 100]);
  });
});

describe('a warehouse that loses rows of the last days', () => {
  const tables = ['spend'];
  const count = async () => (await client.query('SELECT FROM spend')).rowCount;
  const write = () =>
    client.query(`INSERT INTO spend SELECT a, current_date - d, d FROM unnest(ARRAY['1', '2']) a, generate_series(1, 30) d
      ON CONFLICT DO NOTHING`);

  it('rejects a fault without tables, or with an end that is no time', async () => {
    expect((await fault('lose_rows')).status).toBe(400);
    expect((await fault('lose_rows', { tables: [], endsAfterSeconds: 'soon' })).status).toBe(400);
  });

  it('deletes rows of each account and stores none until a page of another origin clears it', async () => {
    await client.query('CREATE TABLE spend (account_id text, date date, rows int, PRIMARY KEY (account_id, date))');
    await write();
    const added = await fault('lose_rows', { tables, rows: 3 });
    expect(added.headers.get('access-control-allow-origin')).toBe('*');
    expect(await count()).toBe(54);
    await write();
    expect(await count()).toBe(54);
    expect((await sandbox.admin(`faults/${String(added.body.id)}/clear`, {})).status).toBe(200);
    await write();
    expect(await count()).toBe(60);
  });

  it('ends automatically at the requested time', async () => {
    await fault('lose_rows', { tables, rows: 3, endsAfterSeconds: 0.01 });
    await vi.waitFor(async () => {
      await write();
      expect(await count()).toBe(60);
    });
  });
});

describe('a warehouse that rejects sessions', () => {
  it('closes sessions, rejects new ones, and accepts them again when cleared', async () => {
    const warehouseUrl = Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
    const session = new pg.Client(warehouseUrl);
    await session.connect();
    session.on('error', () => undefined);
    client.on('error', () => undefined);
    await fault('refuse');
    await expect(session.query('SELECT 1')).rejects.toThrow();
    await expect(new pg.Client(warehouseUrl).connect()).rejects.toThrow(/not currently accepting connections/);
    await sandbox.admin('faults', undefined, 'DELETE');
    client = new pg.Client(warehouseUrl);
    await client.connect();
    expect((await client.query('SELECT 1')).rowCount).toBe(1);
  });
});
