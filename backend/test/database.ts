import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { grantReportRole } from '../src/core/database/grant-report-role.js';
import { grantApplicationRole } from '../src/core/database/grant-application-role.js';
import { migrateQueue } from '../src/core/jobs/migrate-queue.js';

const repository = path.resolve(import.meta.dirname, '..', '..');
/** Any number, equal in every test process, so that one process creates the template and the others wait. */
const TEMPLATE_LOCK = 7_316_220;
/** The product does not connect as the superuser of the tests, so that a missing grant fails the tests. */
const APPLICATION = { role: 'tributary_test_app', password: 'test' };
const NO_SERVER = 'Run through make test, or: node tools/test-with-database.ts -- npm test -w backend';

export interface TestDatabase {
  /** URL for the application's role. */
  url: string;
  /** URL for the owner role; `query` uses it too. */
  ownerUrl: string;
  query<Row extends pg.QueryResultRow>(text: string, parameters?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** A migrated database for each test file, copied from a template that is created once. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) throw new Error(NO_SERVER);
  const name = `product_${randomBytes(5).toString('hex')}`;
  await asAdmin(server, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const template = await ensureTemplate(admin, server);
    await admin.query(`create database ${name} template ${template}`);
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  });
  const ownerUrl = urlOf(server, name);
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  // `end` does not wait for the sockets, so the forced drop below may still end sessions of this pool.
  pool.on('error', () => undefined);
  return {
    url: asApplication(ownerUrl),
    ownerUrl,
    query: async (text, parameters) => (await pool.query(text, parameters)).rows,
    stop: async () => {
      await pool.end();
      await asAdmin(server, (admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

export interface EmptyDatabase {
  /** Two roles without special privileges. The first one owns the database. */
  owner: string;
  application: string;
  urlAs(role: string): string;
  stop(): Promise<void>;
}

/** An operator's state before the first start: a database without tables, and two new roles. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) throw new Error(NO_SERVER);
  const name = `empty_${randomBytes(5).toString('hex')}`;
  const [owner, application] = [`${name}_owner`, `${name}_app`];
  await asAdmin(server, async (admin) => {
    for (const role of [owner, application]) await admin.query(`create role ${role} login password '${APPLICATION.password}'`);
    await admin.query(`create database ${name} owner ${owner}`);
  });
  return {
    owner,
    application,
    urlAs: (role) => urlAs(urlOf(server, name), role),
    stop: () =>
      asAdmin(server, async (admin) => {
        await admin.query(`drop database ${name} with (force)`);
        await admin.query(`drop role ${owner}, ${application}`);
      }),
  };
}

async function ensureTemplate(admin: pg.Client, server: string): Promise<string> {
  const role = await admin.query('select 1 from pg_roles where rolname = $1', [APPLICATION.role]);
  if (!role.rowCount) await admin.query(`create role ${APPLICATION.role} login password '${APPLICATION.password}'`);
  const template = `product_template_${fingerprint()}`;
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template]);
  if (rowCount) return template;
  const building = `${template}_building`;
  await admin.query(`drop database if exists ${building} with (force)`);
  await admin.query(`create database ${building}`);
  const url = urlOf(server, building);
  const prisma = path.join(repository, 'node_modules', 'prisma', 'build', 'index.js');
  const result = spawnSync(process.execPath, [prisma, 'migrate', 'deploy'], {
    cwd: repository,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: url, NODE_OPTIONS: '', CHECKPOINT_DISABLE: '1' },
  });
  if (result.status !== 0) throw new Error(`migrations failed:\n${result.stdout}${result.stderr}`);
  await migrateQueue(url);
  await grantApplicationRole(url, asApplication(url));
  await grantReportRole(url);
  // Renamed only when complete, so that a killed run leaves no incomplete template.
  await admin.query(`alter database ${building} rename to ${template}`);
  return template;
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const grants = ['application', 'report'].map((role) => `backend/src/core/database/grant-${role}-role.ts`);
  const code = [...grants, 'backend/src/core/jobs/migrate-queue.ts'];
  for (const file of [...globSync('prisma/migrations/*/migration.sql', { cwd: repository }).sort(), ...code])
    hash.update(readFileSync(path.join(repository, file)));
  return hash.digest('hex').slice(0, 12);
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

const asApplication = (url: string): string => urlAs(url, APPLICATION.role);

function urlAs(url: string, role: string): string {
  return Object.assign(new URL(url), { username: role, password: APPLICATION.password }).href;
}

async function asAdmin(server: string, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: urlOf(server, 'postgres') });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
