import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmptyDatabase, type EmptyDatabase } from '../../../test/database.js';
import { eventually } from '../../../test/factories.js';
import { applyMigrations } from './apply-migrations.js';

const repository = path.resolve(import.meta.dirname, '..', '..', '..', '..');
let database: EmptyDatabase;
let folder: string;
let client: pg.Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.urlAs(database.owner) });
  await client.connect();
  folder = mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
  for (const name of ['node_modules', 'tools']) symlinkSync(path.join(repository, name), path.join(folder, name));
  cpSync(path.join(repository, 'prisma.config.ts'), path.join(folder, 'prisma.config.ts'));
  mkdirSync(path.join(folder, 'prisma', 'schema'), { recursive: true });
  writeFileSync(path.join(folder, 'prisma', 'schema', 'main.prisma'), 'datasource db {\n  provider = "postgresql"\n}\n');
});
afterEach(async () => {
  await client.end();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
});

function addMigration(name: string, sql: string, limit = "set local lock_timeout = '50ms';\n"): void {
  const target = path.join(folder, 'prisma', 'migrations', name);
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'migration.sql'), `${limit}${sql}`);
}

/** Like a pod that is lost: the server continues with the statement that it received. */
async function killDuringMigration(): Promise<void> {
  const prisma = path.join(repository, 'node_modules', '.bin', 'prisma');
  const env = { ...process.env, DATABASE_URL: database.urlAs(database.owner) };
  const child = spawn(prisma, ['migrate', 'deploy'], { cwd: folder, env, detached: true, stdio: 'ignore' });
  await eventually(waiting, (pids) => pids.length === 1);
  process.kill(-child.pid!, 'SIGKILL');
  await once(child, 'exit');
}

const apply = () => applyMigrations(folder, database.urlAs(database.owner));
const states = async () =>
  (
    await client.query<{ state: string }>(
      `select case when finished_at is not null then 'applied' when rolled_back_at is not null then 'rolled back' else 'failed' end as state
         from _prisma_migrations order by started_at`,
    )
  ).rows.map(({ state }) => state);
/** Sessions that wait for a lock of `client`. */
const waiting = async () =>
  (
    await client.query<{ pid: number }>(
      'select distinct pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
    )
  ).rows;
const lockNumbers = async () => {
  await client.query('begin');
  await client.query('lock table numbers in access share mode');
};

it('repeats a migration that could not get a lock in time, and leaves another failure to the operator', async () => {
  addMigration('20260101000000_first', 'create table numbers (n int);');
  await apply();
  addMigration('20260102000000_second', 'alter table numbers add column m int;');
  await lockNumbers();
  const applying = apply();
  await eventually(states, (all) => all.includes('rolled back'));
  await client.query('commit');
  await applying;
  expect((await states()).filter((state) => state === 'applied')).toHaveLength(2);
  expect((await client.query('select m from numbers')).rows).toEqual([]);

  addMigration('20260103000000_third', 'alter table numbers add column m int;');
  await expect(apply()).rejects.toThrow('The database migration failed');
  expect((await states()).at(-1)).toBe('failed');
});

it.each([
  ['that the time limit of statements cancelled', 'perform pg_sleep(3600)'],
  ['that was cancelled to end a deadlock', "raise exception 'deadlock detected' using errcode = 'deadlock_detected'"],
])('repeats a migration %s', async (_, firstTime) => {
  addMigration('20260101000000_first', 'create sequence attempts;');
  await apply();
  addMigration(
    '20260102000000_second',
    `set local statement_timeout = '5s';
     create table numbers (n int);
     do $$ begin if nextval('attempts') = 1 then ${firstTime}; end if; end $$;`,
  );
  await apply();
  expect(await states()).toEqual(['applied', 'rolled back', 'applied']);
});

it('counts a migration as applied that the server completed after its process was killed', async () => {
  addMigration('20260101000000_first', 'create table numbers (n int);');
  await apply();
  addMigration('20260102000000_second', 'alter table numbers add column m int;', '');
  await lockNumbers();
  await killDuringMigration();
  const applying = apply();
  await client.query('commit');
  await applying;
  expect(await states()).toEqual(['applied', 'applied']);
  expect((await client.query('select m from numbers')).rows).toEqual([]);
});

it('repeats a migration that ended with its process and its session', async () => {
  addMigration('20260101000000_first', 'create table numbers (n int);');
  await apply();
  addMigration('20260102000000_second', 'alter table numbers add column m int;', '');
  await lockNumbers();
  await killDuringMigration();
  await client.query('select pg_terminate_backend($1)', [(await waiting())[0]?.pid]);
  await client.query('commit');
  await apply();
  expect(await states()).toEqual(['applied', 'rolled back', 'applied']);
  expect((await client.query('select m from numbers')).rows).toEqual([]);
});

it('leaves an interrupted index that is built concurrently to the operator, because a part of it remains', async () => {
  addMigration('20260101000000_first', 'create table numbers (n int);');
  await apply();
  addMigration('20260102000000_second', 'create index concurrently if not exists numbers_n on numbers (n);', '');
  await client.query('begin');
  await client.query('lock table numbers in row exclusive mode');
  await killDuringMigration();
  await client.query('select pg_terminate_backend($1)', [(await waiting())[0]?.pid]);
  await client.query('commit');
  await expect(apply()).rejects.toThrow('The database migration failed');
  expect(await states()).toEqual(['applied', 'failed']);
});

it('does not start Prisma if every migration is applied', async () => {
  addMigration('20260101000000_first', 'create table numbers (n int);');
  await apply();
  writeFileSync(path.join(folder, 'prisma.config.ts'), "throw new Error('Prisma was started');");
  await apply();
  addMigration('20260102000000_second', 'alter table numbers add column m int;');
  await expect(apply()).rejects.toThrow('The database migration failed');
});
