import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import { accountUrl, prepareRoles } from '../postgres/roles.ts';
import { startPostgres, type Postgres } from '../postgres/start-postgres.ts';
import { runCommand } from '../processes/run-command.ts';
import { backUpInstance, restoreInstance } from './instance-backup.ts';

const PASSWORD = 'superuser';
const OWNER = { role: 'tributary_owner', password: 'owner' };
const APPLICATION = { role: 'tributary_app', password: 'application' };
const SETTINGS = { fsync: 'off' };

let folder: string;
const servers: Postgres[] = [];
const inFolder = (...names: string[]) => path.join(folder, ...names);

async function start(dataFolder: string): Promise<Postgres> {
  const options = { dataDir: inFolder(dataFolder, 'postgres'), databases: ['tributary', 'warehouse'], password: PASSWORD };
  const server = await startPostgres({ ...options, settings: SETTINGS });
  servers.push(server);
  return server;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The rows of every table, as counts and checksums, and the roles of the server with their passwords. */
async function contents(url: string): Promise<Record<string, string>> {
  const client = await connect(url);
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') and tablename <> 'writes' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const name of [...tables.map((table) => table.name), 'pg_authid']) {
    const { rows } = await client.query<{ sum: string }>(
      `select count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, '|' order by t::text collate "C"), '')) as sum from ${name} t`,
    );
    found[name] = rows[0]?.sum ?? '';
  }
  await client.end();
  return found;
}

/** Commits rows 1, 2, 3 … on the server until there is a row in `ended`. */
const WRITE = `do $$ begin
  for number in 1..10000000 loop
    insert into writes values (number);
    commit;
    exit when exists (select from ended);
  end loop; end $$`;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'backup-'));
  chmodSync(folder, 0o755);
  mkdirSync(inFolder('running'));
  const server = await start('running');
  await prepareRoles(server.url('tributary'), OWNER, APPLICATION);
  const ownerUrl = accountUrl(server.url('tributary'), OWNER);
  const migrated = await runCommand('prisma', ['migrate', 'deploy'], { environment: { DATABASE_URL: ownerUrl } });
  expect(migrated.output).toContain('successfully applied');
  const client = await connect(ownerUrl);
  await client.query('create table writes (n int primary key); create table ended (at timestamptz)');
  await client.query(
    `insert into organizations (id, name, created_by, updated_at) select gen_random_uuid(), 'Organization ' || n, 'u', now() from generate_series(1, 500) n`,
  );
  await client.end();
  writeJsonFile(inFolder('running', 'secrets.json'), { encryptionKey: 'key', postgresPassword: PASSWORD }, 0o600);
  mkdirSync(inFolder('running', 'auth'));
  writeFileSync(inFolder('running', 'auth', 'accounts.json'), '{"users":[]}');
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('restores every row and role in an empty cluster from a backup that was made while rows were written', async () => {
  const [running] = servers;
  const url = running!.url('tributary');
  const [writer, client] = [await connect(url), await connect(url)];
  const count = async () => Number((await client.query<{ count: string }>('select count(*) from writes')).rows[0]?.count);
  const writing = writer.query(WRITE);
  while ((await Promise.race([count(), writing.then(() => Infinity)])) < 100);
  const before = await count();
  await backUpInstance(inFolder('running'), inFolder('backup'));
  await client.query('insert into ended values (now())');
  await writing;
  const after = await count();
  await client.query('truncate ended');
  await Promise.all([writer.end(), client.end()]);

  restoreInstance(inFolder('backup'), inFolder('restored'));
  expect(readJsonFile(inFolder('restored', 'secrets.json'))).toEqual(readJsonFile(inFolder('running', 'secrets.json')));
  expect(existsSync(inFolder('restored', 'auth', 'accounts.json'))).toBe(true);
  const restored = await start('restored');
  // From the start of the backup, also if a checkpoint happened while files were copied.
  expect(readFileSync(inFolder('restored', 'postgres', 'server.log'), 'utf8')).toContain('completed backup recovery');
  const [expected, found] = [await contents(url), await contents(restored.url('tributary'))];
  expect(Object.keys(found).length).toBeGreaterThan(60);
  expect(found['public.organizations']).toMatch(/^500 rows/);
  expect(found).toEqual(expected);

  const check = await connect(accountUrl(restored.url('tributary'), OWNER));
  const { rows } = await check.query<{ count: string; newest: string }>('select count(*), max(n) as newest from writes');
  const [{ count: kept, newest } = { count: '', newest: '' }] = rows;
  await check.end();
  expect(Number(kept)).toBe(Number(newest));
  expect(Number(kept)).toBeGreaterThanOrEqual(before);
  expect(Number(kept)).toBeLessThanOrEqual(after);
});

it('replaces neither a backup nor the data of an instance, and rejects an incomplete backup', async () => {
  await expect(backUpInstance(inFolder('running'), inFolder('backup'))).rejects.toThrow('exists');
  expect(() => restoreInstance(inFolder('backup'), inFolder('running'))).toThrow('has data');
  mkdirSync(inFolder('incomplete', 'postgres'), { recursive: true });
  expect(() => restoreInstance(inFolder('incomplete'), inFolder('other'))).toThrow('is not a complete backup');
});
