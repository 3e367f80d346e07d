import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase, type EmptyDatabase } from '../../../test/database.js';
import { eventually } from '../../../test/factories.js';
import { applyMigrations } from './apply-migrations.js';

const repository = path.resolve(import.meta.dirname, '..', '..', '..', '..');
let database: EmptyDatabase;
let folder: string;
let client: pg.Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.urlAs(database.owner) });
  await client.connect();
  folder = mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
  for (const name of ['node_modules', 'tools']) symlinkSync(path.join(repository, name), path.join(folder, name));
  cpSync(path.join(repository, 'prisma.config.ts'), path.join(folder, 'prisma.config.ts'));
  mkdirSync(path.join(folder, 'prisma', 'schema'), { recursive: true });
  writeFileSync(path.join(folder, 'prisma', 'schema', 'main.prisma'), 'datasource db {\n  provider = "postgresql"\n}\n');
});
afterAll(async () => {
  await client.end();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
});

function addMigration(name: string, sql: string): void {
  const target = path.join(folder, 'prisma', 'migrations', name);
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'migration.sql'), `set local lock_timeout = '50ms';\n${sql}`);
}

const apply = () => applyMigrations(folder, database.urlAs(database.owner));
const states = async () =>
  (
    await client.query<{ state: string }>(
      `select case when finished_at is not null then 'applied' when rolled_back_at is not null then 'rolled back' else 'failed' end as state
         from _prisma_migrations order by started_at`,
    )
  ).rows.map(({ state }) => state);

it('repeats a migration that could not get a lock in time, and leaves another failure to the operator', async () => {
  addMigration('20260101000000_first', 'create table numbers (n int);');
  await apply();
  addMigration('20260102000000_second', 'alter table numbers add column m int;');
  await client.query('begin');
  await client.query('lock table numbers in access share mode');
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
