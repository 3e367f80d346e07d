import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { Destination, Stream } from '../../../src/connectors/kit/contract.js';
import { sweepFences } from '../../../src/connectors/postgresql/load/fence-sweep.js';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import type { PostgresqlSettings } from '../../../src/connectors/postgresql/settings.js';
import { aContext } from '../context.js';
import { aRow, aSlice, campaignDaily, pagesOf } from '../rows.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

let warehouse: Warehouse;
const opened: Destination[] = [];
const table = 'google_ads_campaign_daily';

beforeAll(async () => {
  warehouse = await startWarehouse();
});
afterEach(async () => {
  for (const destination of opened.splice(0)) await destination.close();
  await warehouse.query(`DROP TABLE IF EXISTS ${table}, _tributary_runs, _tributary_tables; DROP SCHEMA IF EXISTS ads CASCADE`);
});
afterAll(() => warehouse.stop());

function open(overrides: Partial<PostgresqlSettings> = {}): Destination {
  const destination = postgresqlDestination({ ...warehouse.settings, ...overrides }, ownNetwork);
  opened.push(destination);
  return destination;
}
const prepare = (streams: Stream[] = [campaignDaily], overrides?: Partial<PostgresqlSettings>) =>
  open(overrides).prepare(aContext(), streams);

describe('tables that are up to date', () => {
  it('are prepared without a lock, a change or a transaction, even while others hold locks', async () => {
    const first = await prepare();
    const other = new pg.Client({ ...warehouse.settings, ssl: false });
    await other.connect();
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('tributary:public', 0))`);
    await other.query(`LOCK TABLE ${table}, _tributary_runs IN ACCESS EXCLUSIVE MODE`);
    try {
      expect(await prepare()).toEqual(first);
    } finally {
      await other.end();
    }
  });

  it('are detected as outdated when a column, a comment or the key changed', async () => {
    await prepare();
    await warehouse.query(`ALTER TABLE ${table} DROP COLUMN impressions; COMMENT ON COLUMN ${table}.clicks IS 'mine'`);
    await prepare();
    const columns = await warehouse.query<{ name: string; comment: string }>(
      `SELECT attname AS name, col_description(attrelid, attnum) AS comment FROM pg_attribute
        WHERE attrelid = '${table}'::regclass AND attname IN ('impressions', 'clicks') ORDER BY 1`,
    );
    expect(columns).toEqual(
      ['clicks', 'impressions'].map((name) => ({
        name,
        comment: campaignDaily.columns.find((column) => column.name === name)?.description,
      })),
    );
  });
});

it('deletes only fences of runs that ended months ago, by the time in their ids', async () => {
  await prepare();
  const now = Date.now();
  const idOf = (daysAgo: number) => {
    const hex = (now - daysAgo * 86_400_000).toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-00000000000${daysAgo % 10}`;
  };
  await warehouse.query(
    `INSERT INTO _tributary_runs (run_id, lease_epoch, loaded_at)
     VALUES ($1, 1, now() - interval '101 days'), ($2, 1, now()), ($3, 1, now() - interval '80 days')`,
    [idOf(101), idOf(102), idOf(80)],
  );
  const client = new pg.Client({ ...warehouse.settings, ssl: false });
  await client.connect();
  await sweepFences(client, `a place of this test ${randomUUID()}`, 'public');
  await client.end();
  const rows = await warehouse.query<{ id: string }>('SELECT run_id AS id FROM _tributary_runs');
  expect(rows.map(({ id }) => id).toSorted()).toEqual([idOf(102), idOf(80)]);
});

describe('tables of other clients', () => {
  it('does not change a table with the same name', async () => {
    await warehouse.query(`CREATE TABLE ${table} (note text); INSERT INTO ${table} VALUES ('mine')`);
    await expect(prepare()).rejects.toMatchObject({
      name: 'FixSettings',
      code: 'postgresql.foreign_table',
      action: expect.stringContaining('prefix'),
    });
    expect(await warehouse.query(`SELECT * FROM ${table}`)).toEqual([{ note: 'mine' }]);
  });

  it('does not change a table that replaced ours', async () => {
    await prepare();
    await warehouse.query(`DROP TABLE ${table}; CREATE TABLE ${table} (note text)`);
    await expect(prepare()).rejects.toMatchObject({ code: 'postgresql.foreign_table' });
  });

  it('does not change a view', async () => {
    await warehouse.query(`CREATE VIEW ${table} AS SELECT 1 AS note; COMMENT ON VIEW ${table} IS 'Loaded by Tributary'`);
    await expect(prepare()).rejects.toMatchObject({ code: 'postgresql.foreign_table' });
    await warehouse.query(`DROP VIEW ${table}`);
  });

  it('reports a column with another type', async () => {
    await prepare();
    await warehouse.query(`ALTER TABLE ${table} ALTER COLUMN clicks TYPE text`);
    await expect(prepare()).rejects.toMatchObject({
      code: 'postgresql.table_changed',
      message: expect.stringContaining('"clicks" is text, expected bigint'),
    });
  });

  it('reports a removed key', async () => {
    await prepare();
    await warehouse.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`);
    await expect(prepare()).rejects.toMatchObject({
      code: 'postgresql.table_changed',
      message: expect.stringContaining('its key is ()'),
    });
  });
});

describe('creating tables', () => {
  it('creates the schema, the key and a comment on every table and column', async () => {
    await prepare([campaignDaily], { schema: 'ads', tablePrefix: 'raw_' });
    const [comments] = await warehouse.query<{ table: string; bare: string }>(
      `SELECT obj_description('ads.raw_${table}'::regclass) AS table,
              (SELECT count(*) FROM pg_attribute WHERE attrelid = 'ads.raw_${table}'::regclass AND attnum > 0 AND col_description(attrelid, attnum) IS NULL) AS bare`,
    );
    expect(comments).toEqual({ table: expect.stringContaining('Google Ads'), bare: '0' });
    const [key] = await warehouse.query<{ definition: string }>(
      `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conrelid = 'ads.raw_${table}'::regclass AND contype = 'p'`,
    );
    expect(key?.definition).toBe('PRIMARY KEY (account_id, date, campaign_id, device, network)');
  });

  it('recognizes its table after the comment was changed, and keeps that comment', async () => {
    await prepare();
    await warehouse.query(`COMMENT ON TABLE ${table} IS 'See the wiki'`);
    await prepare();
    expect(await warehouse.query(`SELECT obj_description('${table}'::regclass) AS comment`)).toEqual([
      { comment: 'See the wiki' },
    ]);
  });

  it('recognizes its table after a dump and restore, as another place', async () => {
    const before = await prepare();
    await warehouse.query('DELETE FROM _tributary_tables');
    const after = await prepare();
    expect(after.get(campaignDaily.name)).not.toBe(before.get(campaignDaily.name));
    expect(await prepare()).toEqual(after);
  });

  it('changes the target’s place only when the table was deleted and recreated', async () => {
    const before = await prepare();
    expect([...before.keys()]).toEqual([campaignDaily.name]);
    expect(await prepare()).toEqual(before);
    await warehouse.query(`DROP TABLE ${table}`);
    expect((await prepare()).get(campaignDaily.name)).not.toBe(before.get(campaignDaily.name));
    const elsewhere = await prepare([campaignDaily], { schema: 'elsewhere' });
    expect(elsewhere.get(campaignDaily.name)).not.toBe((await prepare()).get(campaignDaily.name));
  });

  it('adds new columns and keeps the rows', async () => {
    const narrow = { ...campaignDaily, columns: campaignDaily.columns.filter(({ name }) => name !== 'all_conversions') };
    await prepare([narrow]);
    await open().write(aContext(), aSlice({ stream: narrow }), pagesOf([aRow()], narrow), {
      runId: randomUUID(),
      leaseEpoch: 1n,
    });
    await prepare();
    expect(await warehouse.query(`SELECT campaign_id, all_conversions FROM ${table}`)).toEqual([
      { campaign_id: '1', all_conversions: null },
    ]);
  });

  it('supports concurrent workers', async () => {
    await expect(Promise.all(Array.from({ length: 8 }, () => prepare([campaignDaily], { schema: 'ads' })))).resolves.toHaveLength(
      8,
    );
  });
});

it('creates no other tables than those listed with their keys in docs/reporting.md', async () => {
  await prepare();
  const made = await warehouse.query<{ name: string; key: string }>(
    `SELECT c.relname AS name, string_agg(a.attname, ', ' ORDER BY a.attnum) AS key
       FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
      WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '${table}' GROUP BY c.relname ORDER BY c.relname`,
  );
  expect(made.map(({ name }) => name)).toEqual(['_tributary_runs', '_tributary_tables']);
  const page = readFileSync(new URL('../../../../docs/reporting.md', import.meta.url), 'utf8').split('\n');
  for (const { name, key } of made) expect(page.find((line) => line.startsWith(`| \`${name}\` `))).toContain(`| \`${key}\` `);
});
