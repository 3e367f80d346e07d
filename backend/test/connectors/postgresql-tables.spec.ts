import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Destination, Stream } from '../../src/connectors/kit/contract.js';
import { postgresqlDestination } from '../../src/connectors/postgresql/index.js';
import type { PostgresqlSettings } from '../../src/connectors/postgresql/settings.js';
import { aContext } from './context.js';
import { aRow, aSlice, campaignDaily, pagesOf } from './rows.js';
import { ownNetwork, startWarehouse, type Warehouse } from './warehouse.js';

let warehouse: Warehouse;
const opened: Destination[] = [];
const table = 'google_ads_campaign_daily';

beforeAll(async () => {
  warehouse = await startWarehouse();
}, 60_000);
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

describe('tables that are not ours', () => {
  it('leaves a table of the same name alone', async () => {
    await warehouse.query(`CREATE TABLE ${table} (note text); INSERT INTO ${table} VALUES ('mine')`);
    await expect(prepare()).rejects.toMatchObject({
      name: 'FixSettings',
      code: 'postgresql.foreign_table',
      action: expect.stringContaining('prefix'),
    });
    expect(await warehouse.query(`SELECT * FROM ${table}`)).toEqual([{ note: 'mine' }]);
  });

  it('leaves a table alone that took the place of ours', async () => {
    await prepare();
    await warehouse.query(`DROP TABLE ${table}; CREATE TABLE ${table} (note text)`);
    await expect(prepare()).rejects.toMatchObject({ code: 'postgresql.foreign_table' });
  });

  it('leaves a view alone', async () => {
    await warehouse.query(`CREATE VIEW ${table} AS SELECT 1 AS note; COMMENT ON VIEW ${table} IS 'Loaded by Tributary'`);
    await expect(prepare()).rejects.toMatchObject({ code: 'postgresql.foreign_table' });
    await warehouse.query(`DROP VIEW ${table}`);
  });

  it('says what was changed when a column has another type', async () => {
    await prepare();
    await warehouse.query(`ALTER TABLE ${table} ALTER COLUMN clicks TYPE text`);
    await expect(prepare()).rejects.toMatchObject({
      code: 'postgresql.table_changed',
      message: expect.stringContaining('"clicks" is text, expected bigint'),
    });
  });

  it('says what was changed when the key is gone', async () => {
    await prepare();
    await warehouse.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`);
    await expect(prepare()).rejects.toMatchObject({
      code: 'postgresql.table_changed',
      message: expect.stringContaining('its key is ()'),
    });
  });
});

describe('making tables', () => {
  it('makes the schema, the key and a comment on every table and column', async () => {
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

  it('is still ours when its comment was rewritten, and keeps that comment', async () => {
    await prepare();
    await warehouse.query(`COMMENT ON TABLE ${table} IS 'See the wiki'`);
    await prepare();
    expect(await warehouse.query(`SELECT obj_description('${table}'::regclass) AS comment`)).toEqual([
      { comment: 'See the wiki' },
    ]);
  });

  it('is still ours after a dump and restore, which give it another id, and counts as another place', async () => {
    const before = await prepare();
    await warehouse.query('DELETE FROM _tributary_tables');
    const after = await prepare();
    expect(after.get(campaignDaily.name)).not.toBe(before.get(campaignDaily.name));
    expect(await prepare()).toEqual(after);
  });

  it('is the same place for as long as it is there, and another one when it was deleted and made anew', async () => {
    const before = await prepare();
    expect([...before.keys()]).toEqual([campaignDaily.name]);
    expect(await prepare()).toEqual(before);
    await warehouse.query(`DROP TABLE ${table}`);
    expect((await prepare()).get(campaignDaily.name)).not.toBe(before.get(campaignDaily.name));
    const elsewhere = await prepare([campaignDaily], { schema: 'elsewhere' });
    expect(elsewhere.get(campaignDaily.name)).not.toBe((await prepare()).get(campaignDaily.name));
  });

  it('adds the columns that a stream has gained, and keeps the rows', async () => {
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

  it('may be asked by many workers at once', async () => {
    await expect(Promise.all(Array.from({ length: 8 }, () => prepare([campaignDaily], { schema: 'ads' })))).resolves.toHaveLength(
      8,
    );
  });
});

it('makes no table beside the streams’ that the page for writers of reports does not name, with its key', async () => {
  await prepare();
  const made = await warehouse.query<{ name: string; key: string }>(
    `SELECT c.relname AS name, string_agg(a.attname, ', ' ORDER BY a.attnum) AS key
       FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
      WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '${table}' GROUP BY c.relname ORDER BY c.relname`,
  );
  expect(made.map(({ name }) => name)).toEqual(['_tributary_runs', '_tributary_tables']);
  const page = readFileSync(new URL('../../../docs/reporting.md', import.meta.url), 'utf8').split('\n');
  for (const { name, key } of made) expect(page.find((line) => line.startsWith(`| \`${name}\` `))).toContain(`| \`${key}\` `);
});
