import { createServer, type AddressInfo } from 'node:net';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import type { PostgresqlSettings } from '../../../src/connectors/postgresql/settings.js';
import { startHostilePostgres } from '../../hostile-postgres.js';
import { aContext } from '../context.js';
import { aRow, aSlice, campaignDaily, pagesOf } from '../rows.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

let warehouse: Warehouse;
const role = `reader_${randomBytes(4).toString('hex')}`;
const password = 'a secret that must not be shown';

beforeAll(async () => {
  warehouse = await startWarehouse();
  await warehouse.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'; REVOKE CREATE ON SCHEMA public FROM public`);
});
afterAll(async () => {
  await warehouse.query(`DROP ROLE ${role}`);
  await warehouse.stop();
});

async function check(overrides: Partial<PostgresqlSettings> = {}) {
  const destination = postgresqlDestination({ ...warehouse.settings, ...overrides }, ownNetwork);
  const items = await destination.check(aContext());
  await destination.close();
  return items;
}

/** The failed item. All items after it are skipped. */
async function failureOf(overrides: Partial<PostgresqlSettings>) {
  const items = await check(overrides);
  const index = items.findIndex(({ state }) => state === 'failed');
  expect(items.slice(index + 1).every(({ state }) => state === 'skipped')).toBe(true);
  expect(JSON.stringify(items)).not.toContain(overrides.password ?? password);
  return items[index];
}

it('reports a wrong password without showing it', async () => {
  expect(await failureOf({ password: 'wrong-but-secret' })).toMatchObject({
    code: 'signs_in',
    detail: expect.stringContaining('password'),
    action: 'Update the credentials',
  });
});

it('reports a refused connection', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  expect(await failureOf({ port })).toMatchObject({ code: 'connects', detail: expect.stringContaining(String(port)) });
});

it('passes with the rights of docs/reporting.md, and no others', async () => {
  const { database } = warehouse.settings;
  const user = `documented_${randomBytes(4).toString('hex')}`;
  const page = readFileSync(new URL('../../../../docs/reporting.md', import.meta.url), 'utf8');
  const rights = /```sql\n(create role tributary [^`]+)```/.exec(page)?.[1] ?? 'select no_rights';
  const schema = `of_${user}`;
  const statements = rights
    .replaceAll('tributary', user)
    .replaceAll('database warehouse', `database ${database}`)
    .replaceAll('marketing', schema)
    .replace('…', password);
  await warehouse.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM public`);
  try {
    await warehouse.query(statements);
    const items = await check({ user, password, schema });
    expect(items.filter(({ state }) => state !== 'passed')).toEqual([]);
    const destination = postgresqlDestination({ ...warehouse.settings, user, password, schema }, ownNetwork);
    await destination.prepare(aContext(), [campaignDaily]);
    await destination.close();
  } finally {
    await warehouse.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${database} TO public;
      DROP OWNED BY ${user}; DROP ROLE ${user}; DROP SCHEMA ${schema}`);
  }
});

it('reports an unknown host name', async () => {
  expect(await failureOf({ host: 'no-such-host.invalid' })).toMatchObject({ code: 'connects', action: expect.any(String) });
});

it('reports a missing database', async () => {
  expect(await failureOf({ database: 'no_such_database' })).toMatchObject({
    code: 'database',
    detail: expect.stringContaining('no_such_database'),
  });
});

const poolers: [string, string, string][] = [
  ['Supabase', 'XX000', 'Tenant or user not found'],
  ['Neon', 'XX000', 'Endpoint ID is not specified'],
  ['PgBouncer', '08P01', 'no such database: warehouse'],
];

it.each(poolers)('quotes %s, which does not know the user or the database, in the check and in a load', async (_, code, text) => {
  const server = await startHostilePostgres('rejects_sign_in', { code, text });
  const place = { host: '127.0.0.1', port: server.port, sslMode: 'disable' as const };
  const detail = `The server rejected the sign-in: "${text}".`;
  const action = 'Check user, database and encryption. At a pooler the user may need the project, such as postgres.abc';
  try {
    expect(await failureOf(place)).toMatchObject({ code: 'signs_in', detail, action });
    const destination = postgresqlDestination({ ...warehouse.settings, ...place }, ownNetwork);
    await expect(destination.prepare(aContext(), [campaignDaily])).rejects.toMatchObject({
      name: 'FixSettings',
      message: detail,
      action,
    });
    await destination.close();
  } finally {
    await server.stop();
  }
});

it('expects that a pooler without free connections has some later', async () => {
  const server = await startHostilePostgres('rejects_sign_in', {
    code: 'XX000',
    text: 'MaxClientsInSessionMode: max clients reached',
  });
  const place = { host: '127.0.0.1', port: server.port, sslMode: 'disable' as const };
  const destination = postgresqlDestination({ ...warehouse.settings, ...place }, ownNetwork);
  try {
    await expect(destination.prepare(aContext(), [campaignDaily])).rejects.toMatchObject({ name: 'RetryLater' });
  } finally {
    await destination.close();
    await server.stop();
  }
});

it('reports a database that is closed for connections', async () => {
  const database = `closed_${randomBytes(4).toString('hex')}`;
  await warehouse.query(`CREATE DATABASE ${database} ALLOW_CONNECTIONS false`);
  try {
    expect(await failureOf({ database })).toMatchObject({
      detail: `The database "${database}" does not accept connections.`,
      action: 'Allow connections to the database (ALTER DATABASE … ALLOW_CONNECTIONS true)',
    });
  } finally {
    await warehouse.query(`DROP DATABASE ${database}`);
  }
});

it('reports a server without encryption', async () => {
  expect(await failureOf({ sslMode: 'require' })).toMatchObject({ code: 'encrypts', action: expect.stringContaining('TLS') });
});

it('reports a missing permission to create tables', async () => {
  expect(await failureOf({ user: role, password })).toMatchObject({
    code: 'creates_tables',
    detail: expect.stringContaining(role),
    action: expect.stringContaining('Grant'),
  });
});

it('reports tables of another user, to which an earlier user of the destination loaded, in the check and in a load', async () => {
  const user = `next_${randomBytes(4).toString('hex')}`;
  await warehouse.query(
    `CREATE SCHEMA shared; CREATE ROLE ${user} LOGIN PASSWORD '${password}'; GRANT ALL ON SCHEMA shared TO ${user}`,
  );
  const earlier = postgresqlDestination({ ...warehouse.settings, schema: 'shared' }, ownNetwork);
  const next = postgresqlDestination({ ...warehouse.settings, schema: 'shared', user, password }, ownNetwork);
  const message = `The user "${user}" lacks a permission on "shared._tributary_tables", which belongs to another user.`;
  const action = `Make "${user}" the owner of the tables that Tributary created in the schema`;
  try {
    expect((await next.check(aContext())).every(({ state }) => state === 'passed')).toBe(true);
    await earlier.prepare(aContext(), [campaignDaily]);
    await expect(next.prepare(aContext(), [campaignDaily])).rejects.toMatchObject({
      name: 'FixSettings',
      failureClass: 'permission',
      message,
      action,
    });
    const items = await next.check(aContext());
    expect(items.find(({ state }) => state === 'failed')).toMatchObject({ code: 'creates_tables', detail: message, action });
  } finally {
    await Promise.all([earlier.close(), next.close()]);
    await warehouse.query(`DROP SCHEMA shared CASCADE; DROP OWNED BY ${user}; DROP ROLE ${user}`);
  }
});

it('reports a missing schema without permission to create it', async () => {
  expect(await failureOf({ user: role, password, schema: 'not_there' })).toMatchObject({
    code: 'schema',
    action: expect.stringContaining('Create the schema'),
  });
});

it('passes all items and leaves nothing behind', async () => {
  const items = await check({ schema: 'to_be_made' });
  expect(items.map(({ code, state }) => `${code} ${state}`)).toEqual(
    ['connects', 'encrypts', 'signs_in', 'database', 'version', 'session', 'schema', 'creates_tables', 'reads_back'].map(
      (code) => `${code} passed`,
    ),
  );
  expect(await warehouse.query(`SELECT relname FROM pg_class WHERE relname LIKE '\\_tributary%'`)).toEqual([]);
  expect(await warehouse.query(`SELECT nspname FROM pg_namespace WHERE nspname = 'to_be_made'`)).toEqual([]);
});

it('fails a load with the same errors', async () => {
  const write = (overrides: Partial<PostgresqlSettings>) => {
    const destination = postgresqlDestination({ ...warehouse.settings, ...overrides }, ownNetwork);
    const fence = { runId: randomUUID(), leaseEpoch: 1n };
    return destination.write(aContext(), aSlice(), pagesOf([aRow()]), fence).finally(() => destination.close());
  };
  await expect(write({ password: 'wrong' })).rejects.toMatchObject({ name: 'ReconnectNeeded', code: 'postgresql.28p01' });
  await expect(write({ port: 2 })).rejects.toMatchObject({ name: 'RetryLater', code: 'postgresql.econnrefused' });
  await expect(write({})).rejects.toMatchObject({ name: 'FixSettings', failureClass: 'schema' });
  const destination = postgresqlDestination({ ...warehouse.settings, user: role, password }, ownNetwork);
  await expect(destination.prepare(aContext(), [campaignDaily])).rejects.toMatchObject({
    name: 'FixSettings',
    failureClass: 'permission',
  });
  await destination.close();
});
