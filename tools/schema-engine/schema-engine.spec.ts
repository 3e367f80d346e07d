import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../postgres/test-database.ts';
import { childEnvironment, inRepository } from '../repository.ts';
import { DriverFactory } from './driver.mjs';

const execute = promisify(execFile);
const BASE = 'datasource db {\n  provider = "postgresql"\n}\n';
const USERS =
  'model User {\n  id String @id @db.Uuid\n  email String @unique\n  role Role @default(admin)\n}\nenum Role {\n  admin\n  member\n}\n';
const TEAMS = 'model Team {\n  id String @id\n}\n';

/** Other processes use shadow databases on the same server. Those of this file belong to this role. */
const ROLE = `schema_engine_${randomUUID().slice(0, 8)}`;
let server: TestDatabase;
let serverUrl: string;
let admin: pg.Client;
let folder: string;
let databaseUrl: string;

beforeAll(async () => {
  server = await startTestDatabase();
  admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create role ${ROLE} superuser login password '${ROLE}'`);
  const url = new URL(server.url);
  [url.username, url.password] = [ROLE, ROLE];
  serverUrl = url.toString();
});
afterAll(async () => {
  await admin.query(`drop role ${ROLE}`);
  await admin.end();
  await server.stop();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'schema-engine-'));
  mkdirSync(path.join(folder, 'prisma', 'schema'), { recursive: true });
  symlinkSync(inRepository('node_modules'), path.join(folder, 'node_modules'));
  symlinkSync(inRepository('tools'), path.join(folder, 'tools'));
  cpSync(inRepository('prisma.config.ts'), path.join(folder, 'prisma.config.ts'));
  const url = new URL(serverUrl);
  url.pathname = `/${path.basename(folder)}`;
  databaseUrl = url.toString();
  writeSchema(USERS);
});
afterEach(async () => {
  await admin.query(`DROP DATABASE IF EXISTS "${path.basename(folder)}" WITH (FORCE)`);
  rmSync(folder, { recursive: true, force: true });
});

const writeSchema = (models: string) => writeFileSync(path.join(folder, 'prisma', 'schema', 'main.prisma'), `${BASE}${models}`);

async function prisma(...parameters: string[]): Promise<{ code: number; output: string }> {
  const program = inRepository('node_modules', '.bin', 'prisma');
  const options = { cwd: folder, env: childEnvironment({ DATABASE_URL: databaseUrl, NO_COLOR: '1' }) };
  try {
    const { stdout, stderr } = await execute(program, parameters, options);
    return { code: 0, output: stdout + stderr };
  } catch (caught) {
    const { code, stdout, stderr } = caught as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function shadowDatabases(): Promise<unknown[]> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname like 'prisma_migrate_shadow_db%' and pg_get_userbyid(datdba) = $1`,
    [ROLE],
  );
  return rows;
}

const migrations = path.join('prisma', 'migrations');
function writeMigration(name: string, sql: string): void {
  const target = path.join(folder, migrations, name);
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'migration.sql'), sql);
  writeFileSync(path.join(folder, migrations, 'migration_lock.toml'), 'provider = "postgresql"\n');
}
const compare = ['migrate', 'diff', '--from-migrations', migrations, '--to-schema', path.join('prisma', 'schema'), '--exit-code'];

describe('the schema engine from npm', () => {
  it('reports an unreachable server with Prisma’s error code', async () => {
    databaseUrl = 'postgresql://postgres:postgres@127.0.0.1:1/none';
    expect(await prisma('migrate', 'status')).toMatchObject({ code: 1, output: expect.stringContaining('P1001') as string });
  });

  it('reports a wrong password with Prisma’s error code', async () => {
    const url = new URL(databaseUrl);
    url.password = 'wrong';
    databaseUrl = url.toString();
    expect(await prisma('migrate', 'status')).toMatchObject({ code: 1, output: expect.stringContaining('P1000') as string });
  });

  it('reports a failed migration and does not apply later ones', async () => {
    writeMigration('20260101000000_broken', 'create table a (id int); create table a (id int);');
    writeMigration('20260102000000_next', 'create table b (id int);');
    const { code, output } = await prisma('migrate', 'deploy');
    expect(code).toBe(1);
    expect(output).toContain('20260101000000_broken');
    expect(await query('select migration_name, finished_at from _prisma_migrations')).toEqual([
      { migration_name: '20260101000000_broken', finished_at: null },
    ]);
    expect(await query("select to_regclass('a') as a, to_regclass('b') as b")).toEqual([{ a: null, b: null }]);
  });

  it('writes the first and the second migration, and then finds no difference', async () => {
    expect((await prisma('migrate', 'dev', '--name', 'users')).code).toBe(0);
    writeSchema(USERS + TEAMS);
    expect((await prisma(...compare)).code).toBe(2);
    expect((await prisma('migrate', 'dev', '--name', 'teams')).code).toBe(0);
    const names = readdirSync(path.join(folder, migrations)).filter((name) => /^\d/.test(name));
    expect(names.map((name) => name.replace(/^\d+_/, ''))).toEqual(['users', 'teams']);
    expect(await prisma(...compare)).toMatchObject({ code: 0, output: expect.stringContaining('No difference') as string });
    expect((await prisma('migrate', 'status')).output).toContain('up to date');
  });

  it('runs a script with semicolons in a function body and a comment as one query', async () => {
    const script = `create function two() returns int language plpgsql as $$ begin perform 1; return 2; end $$;
      create table noted (id int); comment on table noted is 'one; two';`;
    writeMigration('20260101000000_function', script);
    expect((await prisma('migrate', 'deploy')).code).toBe(0);
    expect(await query("select two(), obj_description('noted'::regclass) as note")).toEqual([{ two: 2, note: 'one; two' }]);
  });

  it('drops its shadow databases', async () => {
    await prisma('migrate', 'dev', '--name', 'users');
    expect(await shadowDatabases()).toEqual([]);
  });

  it('waits until a shadow database that the engine closes is dropped', async () => {
    const factory = new DriverFactory(serverUrl);
    const shadow = await factory.connectToShadowDb();
    void shadow.dispose();
    await factory.closeAll();
    expect(await shadowDatabases()).toEqual([]);
  });
});
