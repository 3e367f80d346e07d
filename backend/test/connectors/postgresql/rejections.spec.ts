import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { Destination } from '../../../src/connectors/kit/contract.js';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import type { PostgresqlSettings } from '../../../src/connectors/postgresql/settings.js';
import { aContext } from '../context.js';
import { aRow, aSlice, campaignDaily, pagesOf } from '../rows.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

let warehouse: Warehouse;
const opened: Destination[] = [];
const table = 'google_ads_campaign_daily';
const schemaError = { name: 'FixSettings', failureClass: 'schema' };

beforeAll(async () => {
  warehouse = await startWarehouse();
});
beforeEach(() => open().prepare(aContext(), [campaignDaily]));
afterEach(async () => {
  for (const destination of opened.splice(0)) await destination.close();
  await warehouse.query(`DROP TABLE IF EXISTS ${table}, budgets, _tributary_runs, _tributary_tables CASCADE`);
});
afterAll(() => warehouse.stop());

function open(overrides: Partial<PostgresqlSettings> = {}): Destination {
  const destination = postgresqlDestination({ ...warehouse.settings, ...overrides }, ownNetwork);
  opened.push(destination);
  return destination;
}

const write = (row = aRow(), destination = open()) =>
  destination.write(aContext(), aSlice(), pagesOf([row]), { runId: randomUUID(), leaseEpoch: 1n });

const trigger = (body: string) => `
  CREATE OR REPLACE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN new; END $$;
  CREATE TRIGGER guard BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION guard()`;

describe('a table change that blocks loading is a schema error immediately', () => {
  it.each([
    [
      'a NOT NULL column without a default',
      `ALTER TABLE ${table} ADD COLUMN owner text NOT NULL`,
      'postgresql.23502',
      `The column "owner" of "public.${table}" does not allow NULL and has no default`,
      'Allow NULL in the column, or give it a default',
    ],
    [
      'a check',
      `ALTER TABLE ${table} ADD CONSTRAINT no_brand CHECK (campaign_name <> 'Brand')`,
      'postgresql.23514',
      `The constraint "no_brand" of "public.${table}" rejects the rows`,
      'Drop the constraint',
    ],
    [
      'a foreign key',
      `CREATE TABLE budgets (name text PRIMARY KEY); ALTER TABLE ${table} ADD CONSTRAINT budgeted FOREIGN KEY (campaign_name) REFERENCES budgets`,
      'postgresql.23503',
      `The constraint "budgeted" of "public.${table}" rejects the rows`,
      'Drop the constraint',
    ],
    [
      'a trigger that raises',
      trigger(`RAISE EXCEPTION 'budget % is closed', new.campaign_name;`),
      'postgresql.p0001',
      `A trigger or function of "public.${table}" rejects the rows: "budget Brand is closed"`,
      'Correct or drop the trigger',
    ],
    [
      'a trigger that raises with a code that is transient elsewhere',
      trigger(`RAISE EXCEPTION 'not today' USING ERRCODE = '22012';`),
      'postgresql.22012',
      `A trigger or function of "public.${table}" rejects the rows: "not today"`,
      'Correct or drop the trigger',
    ],
    [
      'a limit of the server',
      trigger(`RAISE EXCEPTION 'row is too wide' USING ERRCODE = '54000';`),
      'postgresql.54000',
      'row is too wide',
      'Correct or drop the trigger',
    ],
    [
      'a generated column',
      `ALTER TABLE ${table} DROP COLUMN clicks; ALTER TABLE ${table} ADD COLUMN clicks bigint GENERATED ALWAYS AS (impressions / 10) STORED`,
      'postgresql.42p10',
      '"clicks"',
      'Undo the change to the table, or choose another table prefix',
    ],
    [
      'a generated column whose expression fails',
      `ALTER TABLE ${table} ADD COLUMN rate bigint GENERATED ALWAYS AS (clicks / view_through_conversions) STORED`,
      'postgresql.22012',
      'PostgreSQL rejects the load of "public.google_ads_campaign_daily": "division by zero"',
      'Undo the change to the table, or choose another table prefix',
    ],
  ])('%s', async (_what, change, code, message, action) => {
    await warehouse.query(change);
    await expect(write()).rejects.toMatchObject({ ...schemaError, code, message: expect.stringContaining(message), action });
  });

  it('an index whose entries are too large (54000)', async () => {
    await warehouse.query(`CREATE INDEX by_name ON ${table} (campaign_name)`);
    const longName = Array.from({ length: 400 }, () => randomUUID()).join('');
    await expect(write(aRow({ campaign_name: longName }))).rejects.toMatchObject({
      ...schemaError,
      code: 'postgresql.54000',
      message: expect.stringContaining('index row'),
    });
  });

  it('row-level security that allows no writes', async () => {
    const [user, password] = [`loader_${randomUUID().slice(0, 8)}`, 'loads'];
    await warehouse.query(
      `CREATE ROLE ${user} LOGIN PASSWORD '${password}'; GRANT ALL ON SCHEMA public TO ${user}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${user};
       ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    );
    await expect(write(aRow(), open({ user, password }))).rejects.toMatchObject({
      ...schemaError,
      code: 'postgresql.0a000',
      message: `Row-level security of "public.${table}" rejects the rows.`,
      action: `Turn row-level security off, or grant "${user}" the attribute BYPASSRLS`,
    });
    await warehouse.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
  });

  it('a privilege on the table that was revoked, but not one on the schema', async () => {
    const [user, password] = [`loader_${randomUUID().slice(0, 8)}`, 'loads'];
    await warehouse.query(
      `CREATE ROLE ${user} LOGIN PASSWORD '${password}'; GRANT ALL ON SCHEMA public TO ${user}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${user};
       REVOKE INSERT, UPDATE ON ${table} FROM ${user}`,
    );
    await expect(write(aRow(), open({ user, password }))).rejects.toMatchObject({
      ...schemaError,
      code: 'postgresql.42501',
      message: `The user "${user}" lacks a permission on "public.${table}".`,
      action: `Make "${user}" the owner of the table`,
    });
    await warehouse.query(`REVOKE ALL ON SCHEMA public FROM ${user}; REVOKE ALL ON SCHEMA public FROM public`);
    await expect(write(aRow(), open({ user, password }))).rejects.toMatchObject({ failureClass: 'permission' });
    await warehouse.query(`GRANT ALL ON SCHEMA public TO public; DROP OWNED BY ${user}; DROP ROLE ${user}`);
  });

  it('names a column that was dropped during the run', async () => {
    await warehouse.query(`ALTER TABLE ${table} DROP COLUMN campaign_name`);
    await expect(write()).rejects.toMatchObject({
      ...schemaError,
      code: 'postgresql.42703',
      message: expect.stringContaining('column "campaign_name"'),
      action: 'Run the connection again to add and fill the column',
    });
  });

  it('shows one limited line of the server’s text', async () => {
    await warehouse.query(trigger(`RAISE EXCEPTION E'first\\nsecond \\u202Ethird %', repeat('x', 5000);`));
    const error = (await write().catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain('"first second third xxx');
    expect(error.message.length).toBeLessThan(320);
  });
});

describe('transient errors stay transient', () => {
  it('a trigger that waits for a lock', async () => {
    await warehouse.query(trigger(`SET LOCAL lock_timeout = '100ms'; LOCK TABLE budgets;`));
    await warehouse.query('CREATE TABLE budgets (name text)');
    const other = new pg.Client({ ...warehouse.settings, ssl: false });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE budgets');
    await expect(write()).rejects.toMatchObject({ name: 'RetryLater', code: 'postgresql.55p03' });
    await other.end();
  });

  it('a duplicate row is a data error, not a schema error', async () => {
    const twice = open().write(aContext(), aSlice(), pagesOf([aRow(), aRow()]), { runId: randomUUID(), leaseEpoch: 1n });
    await expect(twice).rejects.toMatchObject({ name: 'CorruptAnswer', code: 'postgresql.23505' });
  });

  it('a unique index of a user is named', async () => {
    await warehouse.query(`CREATE UNIQUE INDEX one_name ON ${table} (campaign_name)`);
    await write();
    const rows = [aRow(), aRow({ campaign_id: 2n })];
    const twice = open().write(aContext(), aSlice(), pagesOf(rows), { runId: randomUUID(), leaseEpoch: 1n });
    await expect(twice).rejects.toMatchObject({
      ...schemaError,
      code: 'postgresql.23505',
      message: expect.stringContaining('"one_name"'),
    });
  });
});

it('loads 10,000 rows through a trigger that raises a notice for each', async () => {
  await warehouse.query(trigger(`RAISE NOTICE 'inserted % %', new.campaign_name, repeat('x', 200);`));
  const rows = Array.from({ length: 10_000 }, (_, index) => aRow({ campaign_id: BigInt(index) }));
  await open().write(aContext(), aSlice(), pagesOf(rows), { runId: randomUUID(), leaseEpoch: 1n });
  expect(await warehouse.query(`SELECT count(*)::int AS rows FROM ${table}`)).toEqual([{ rows: 10_000 }]);
});
