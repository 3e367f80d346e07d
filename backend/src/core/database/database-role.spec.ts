import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { startTestApp, type TestApp, testSettings } from '../../../test/app.js';
import { createEmptyDatabase, type EmptyDatabase } from '../../../test/database.js';
import { anOrganization, aUser, eventually } from '../../../test/factories.js';
import { mailsTo, startMailCatcher } from '../../../test/mail-catcher.js';
import { anInvitation } from '../../../test/teams.js';

let database: EmptyDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database?.stop());

const main = path.resolve(import.meta.dirname, '..', '..', '..', 'dist', 'src', 'main.js');

/** Starts the built product as an operator does, and returns its output. */
function run(role: 'migrate' | 'api', settings: Record<string, string> = {}): { status: number | null; output: string } {
  const env = { PATH: process.env['PATH'], ...testSettings(database.urlAs(database.application)), ROLE: role, ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8', env, timeout: 60_000 });
  return { status, output: stdout + stderr };
}

async function errorCodeOf(sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: database.urlAs(database.application) });
  await client.connect();
  try {
    await client.query(sql);
    return 'allowed';
  } catch (error) {
    return (error as { code?: unknown }).code;
  } finally {
    await client.end();
  }
}

describe('the application role', () => {
  it('cannot migrate an empty database, and the error names the command to run', () => {
    const { status, output } = run('api');
    expect(status).toBe(1);
    expect(output).toContain('Run the migrations first (ROLE=migrate)');
    expect(output).not.toContain('    at ');
  });

  it('cannot run the migrations, and the error names the setting with the owner', () => {
    const { status, output } = run('migrate');
    expect(status).toBe(1);
    expect(output.trim()).toBe(
      `MIGRATION_DATABASE_URL: is missing or wrong. The role "${database.application}" may not create tables. Set the URL of the database with its owner`,
    );
  });

  it('gets its privileges from the migrations, which run as the owner and can be repeated', () => {
    const asOwner = { MIGRATION_DATABASE_URL: database.urlAs(database.owner) };
    expect(run('migrate', asOwner)).toMatchObject({ status: 0 });
    expect(run('migrate', asOwner)).toMatchObject({ status: 0 });
  });

  it('has sufficient privileges for sign-in, organizations and queued jobs', async () => {
    const mail = await startMailCatcher();
    let app: TestApp | undefined;
    try {
      app = await startTestApp({ DATABASE_URL: database.urlAs(database.application), ROLE: 'all', SMTP_URL: mail.smtpUrl });
      const organization = await anOrganization(app);
      const { email } = await aUser(app);
      await anInvitation(organization, email, 'viewer');
      expect(
        await eventually(
          () => mailsTo(mail, email),
          (mails) => mails.length > 0,
        ),
      ).toHaveLength(1);
    } finally {
      await app?.stop();
      await mail.stop();
    }
  });

  it('maintains the partitions of the run log with the rights of the owner', async () => {
    expect(await errorCodeOf(`select maintain_run_log_partitions('30 days')`)).toBe('allowed');
  });

  it.each([
    ['drop a table', 'drop table users'],
    ['alter a table', 'alter table users add column hacked text'],
    ['truncate the audit trail', 'truncate audit_events'],
    ['disable the triggers of a table', 'alter table audit_events disable trigger all'],
    ['create a table', 'create table public.hacked (id int)'],
    ['read a partition without the row-level security of its table', 'select * from partitions.run_log_entries_first'],
    ['create a function in the job queue', `create function graphile_worker.hacked() returns int language sql as 'select 1'`],
    ['change the record of applied migrations', 'delete from _prisma_migrations'],
    ['create a role', 'create role hacked superuser'],
    ['create a database', 'create database hacked'],
    ['become the owner', 'set role :owner'],
    ['read password hashes', 'select rolpassword from pg_authid'],
    ['run a program on the server', `copy (select 1) to program 'true'`],
    ['read a file of the server', `select pg_read_file('/etc/hostname')`],
  ])('cannot %s', async (_what, sql) => {
    expect(await errorCodeOf(sql.replace(':owner', database.owner))).toBe('42501');
  });

  it('is not a superuser, and cannot create roles or databases or bypass row level security', async () => {
    const client = new pg.Client({ connectionString: database.urlAs(database.application) });
    await client.connect();
    const { rows } = await client.query(
      'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
    );
    await client.end();
    expect(Object.values(rows[0] as object)).toEqual([false, false, false, false, false]);
  });

  it('is logged when it owns the tables, because row-level security does not apply to their owner', async () => {
    const env = { PATH: process.env['PATH'], ...testSettings(database.urlAs(database.owner)), ROLE: 'api', LOG_LEVEL: 'warn' };
    const api = spawn(process.execPath, [main], { env });
    let output = '';
    api.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually(
      () => Promise.resolve(output),
      (text) => text.includes('uses the owner of the tables, to which row-level security does not apply'),
    ).finally(() => api.kill());
  });
});
