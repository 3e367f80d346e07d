import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountUrl, prepareRoles, type Account } from './roles.ts';
import { inRepository } from '../repository.ts';
import { startTestDatabase, type TestDatabase } from './test-database.ts';

const INSUFFICIENT_PRIVILEGE = { code: '42501' };
let server: TestDatabase;
let names: Record<'product' | 'warehouse', string>;
let owner: Account;
let application: Account;
let warehouse: Account;

const urlOf = (database: string) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
const account = (role: string): Account => ({ role, password: randomBytes(12).toString('base64url') });

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows ?? [];
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  const suffix = randomBytes(4).toString('hex');
  names = { product: `roles_product_${suffix}`, warehouse: `roles_warehouse_${suffix}` };
  [owner, application, warehouse] = [account(`owner_${suffix}`), account(`app_${suffix}`), account(`warehouse_${suffix}`)];
  for (const name of Object.values(names)) await run(server.url, `create database ${name}`);
});
afterEach(async () => {
  for (const name of Object.values(names)) await run(server.url, `drop database ${name} with (force)`);
  for (const { role } of [owner, application, warehouse]) await run(server.url, `drop role if exists ${role}`);
});

/** The SQL that psql executes in one session for the call in docs/operations.md, with the roles of this test. */
function documentedCall(): string {
  const guide = readFileSync(inRepository('docs', 'operations.md'), 'utf8');
  const call = /^psql "\$SUPERUSER_URL"(?:.*\\\n)+ *-f (deploy\/postgres-roles\.sql)$/m.exec(guide);
  if (!call) throw new Error('docs/operations.md has no call of deploy/postgres-roles.sql');
  const settings = [...call[0].matchAll(/-c "([^"]+)"/g)].map(([, setting]) => setting);
  return [...settings, readFileSync(inRepository(call[1]!), 'utf8')]
    .join(';\n')
    .replace(`'tributary_owner'`, `'${owner.role}'`)
    .replace(`'tributary_app'`, `'${application.role}'`)
    .replace('$OWNER_PASSWORD', owner.password)
    .replace('$APPLICATION_PASSWORD', application.password);
}

it('the documented call creates the two roles with their passwords', async () => {
  const url = urlOf(names.product);
  await run(url, documentedCall());
  await expect(run(accountUrl(url, owner), 'create table t (id int)')).resolves.toEqual([]);
  await expect(run(accountUrl(url, application), 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await expect(run(accountUrl(url, application), 'create table u (id int)')).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
});

describe('prepareRoles', () => {
  it('lets only the owner and the application connect to the database', async () => {
    await prepareRoles(urlOf(names.product), owner, application);
    await prepareRoles(urlOf(names.warehouse), warehouse);
    await expect(run(accountUrl(urlOf(names.product), warehouse), 'select 1')).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
    await expect(run(accountUrl(urlOf(names.warehouse), application), 'select 1')).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
    await expect(run(accountUrl(urlOf(names.product), application), 'create table t (id int)')).rejects.toMatchObject(
      INSUFFICIENT_PRIVILEGE,
    );
    await expect(run(accountUrl(urlOf(names.product), owner), 'create role other')).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
    await expect(run(accountUrl(urlOf(names.warehouse), warehouse), 'create table t (id int)')).resolves.toEqual([]);
  });

  it('changes the owner of objects that an earlier version created as superuser, and can run twice', async () => {
    const url = urlOf(names.product);
    await run(
      url,
      `create type mood as enum ('good'); create domain positive as int check (value > 0); create schema queue;
       create table queue.jobs (id serial primary key, number bigint generated always as identity, mood mood, size positive);
       create view queue.open_jobs as select id from queue.jobs; create sequence queue.ticket;
       create function queue.add_job(size int) returns int language sql as 'select 1'`,
    );
    await prepareRoles(url, owner, application);
    await prepareRoles(url, owner, application);
    const [left] = await run(
      url,
      `select array(select oid::regclass::text from pg_class where relnamespace in ('public'::regnamespace, 'queue'::regnamespace)
           and relowner <> '${owner.role}'::regrole) as relations,
         array(select oid::regprocedure::text from pg_proc where pronamespace = 'queue'::regnamespace
           and proowner <> '${owner.role}'::regrole) as routines,
         array(select oid::regtype::text from pg_type where typnamespace in ('public'::regnamespace, 'queue'::regnamespace)
           and typowner <> '${owner.role}'::regrole) as types`,
    );
    expect(left).toEqual({ relations: [], routines: [], types: [] });
    const change = `alter table queue.jobs add column note text; alter type mood add value 'bad'; drop schema queue cascade`;
    await expect(run(accountUrl(url, owner), change)).resolves.toBeDefined();
  });

  it('does not call user-created functions that shadow those of PostgreSQL', async () => {
    const url = urlOf(names.warehouse);
    await prepareRoles(url, warehouse);
    await run(
      accountUrl(url, warehouse),
      `create function public.format(text, text) returns text language plpgsql as $$ begin raise 'hijacked'; end $$;
       alter database ${names.warehouse} set search_path = public, pg_catalog`,
    );
    await expect(prepareRoles(url, warehouse)).resolves.toBeUndefined();
  });

  it('revokes existing rights of a role and replaces its password', async () => {
    await run(server.url, `create role ${application.role} superuser login password 'before'`);
    await prepareRoles(urlOf(names.product), owner, application);
    const [rights] = await run(
      accountUrl(urlOf(names.product), application),
      'select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = current_user',
    );
    expect(rights).toEqual({ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false });
  });
});
