import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Stream } from '../../../src/connectors/kit/contract.js';
import { startBigQuery, without, type BigQueryWarehouse } from './bigquery-warehouse.js';
import { aContext } from '../context.js';
import { aRow, aSlice, campaignDaily, pagesOf } from '../rows.js';

let warehouse: BigQueryWarehouse;
const path = `/datasets/ads/tables/${campaignDaily.table}`;

beforeAll(async () => {
  warehouse = await startBigQuery();
});
afterEach(() => warehouse.call('DELETE', '/datasets/ads?deleteContents=true'));
afterAll(() => warehouse.sandbox.stop());

const prepare = async (streams: Stream[] = [campaignDaily], settings: Record<string, unknown> = {}) =>
  (await warehouse.open({ settings })).prepare(aContext(), streams);
const makeDataset = (location = 'EU', properties = {}) =>
  warehouse.call('POST', '/datasets', { datasetReference: { datasetId: 'ads' }, location, ...properties });

interface Table {
  description: string;
  labels: Record<string, string>;
  timePartitioning: { expirationMs?: string };
  expirationTime?: string;
  clustering: object;
  tableConstraints: object;
  schema: { fields: { name: string; type: string; mode: string; description?: string }[] };
}
const table = async () => (await warehouse.table()) as unknown as Table;

const expirationsOf = ({ timePartitioning, expirationTime }: Table) => [timePartitioning.expirationMs, expirationTime];
const DAY_MS = 86_400_000;

describe('tables of other clients', () => {
  it('does not change a table with the same name', async () => {
    await makeDataset();
    await warehouse.call('POST', '/datasets/ads/tables', {
      tableReference: { tableId: campaignDaily.table },
      schema: { fields: [{ name: 'note', type: 'STRING' }] },
    });
    await expect(prepare()).rejects.toMatchObject({
      name: 'FixSettings',
      code: 'bigquery.foreign_table',
      action: expect.stringContaining('prefix'),
    });
    expect((await table()).schema.fields).toEqual([{ name: 'note', type: 'STRING', mode: 'NULLABLE' }]);
  });

  it('reports a column with another type', async () => {
    await makeDataset();
    await warehouse.call('POST', '/datasets/ads/tables', {
      tableReference: { tableId: campaignDaily.table },
      labels: { tributary: 'owned' },
      schema: { fields: [{ name: 'clicks', type: 'STRING' }] },
    });
    await expect(prepare()).rejects.toMatchObject({
      code: 'bigquery.table_changed',
      message: expect.stringContaining('"clicks" is STRING, expected INTEGER'),
    });
  });

  it('rejects a dataset in another location', async () => {
    await makeDataset('US');
    await expect(prepare()).rejects.toMatchObject({ code: 'bigquery.location', action: expect.stringContaining('US') });
  });
});

describe('creating tables', () => {
  it('creates the dataset and a partitioned, clustered table with all descriptions', async () => {
    await prepare();
    expect(await warehouse.call('GET', '/datasets/ads')).toMatchObject({ location: 'EU', labels: { tributary: 'owned' } });
    const made = await table();
    expect(made).toMatchObject({
      description: expect.stringContaining('Google Ads'),
      labels: { tributary: 'owned' },
      timePartitioning: { type: 'DAY', field: 'date' },
      clustering: { fields: ['account_id', 'campaign_id', 'device', 'network'] },
      tableConstraints: { primaryKey: { columns: campaignDaily.key } },
    });
    expect(made.schema.fields.map(({ name }) => name)).toEqual(campaignDaily.columns.map(({ name }) => name));
    for (const field of made.schema.fields) expect(field.description).toMatch(/.{10,}\.$/);
    for (const { name, mode } of made.schema.fields)
      expect(mode).toBe(campaignDaily.key.includes(name) ? 'REQUIRED' : 'NULLABLE');
    const runs = (await warehouse.table('_tributary_runs')) as unknown as Table;
    for (const field of runs.schema.fields) expect(field.description).toMatch(/.{10,}\.$/);
  });

  it('adds the prefix to every name', async () => {
    await prepare([campaignDaily], { tablePrefix: 'raw_' });
    expect(await warehouse.tables()).toContain(`raw_${campaignDaily.table}`);
  });

  it('recognizes its table after the description was changed, and keeps that description', async () => {
    await prepare();
    await warehouse.call('PATCH', path, { description: 'See the wiki' });
    await prepare();
    expect((await table()).description).toBe('See the wiki');
  });

  it('recognizes its table without the label', async () => {
    await prepare();
    await warehouse.call('PATCH', path, { labels: {} });
    await expect(prepare()).resolves.toBeInstanceOf(Map);
  });

  it('changes the target’s place only when the table was deleted and recreated', async () => {
    const before = await prepare();
    expect([...before.keys()]).toEqual([campaignDaily.name]);
    expect(await prepare()).toEqual(before);
    await warehouse.call('DELETE', path);
    expect((await prepare()).get(campaignDaily.name)).not.toBe(before.get(campaignDaily.name));
  });

  it('adds new columns, keeps other columns and rows, and restores descriptions', async () => {
    const narrow = without(campaignDaily, 'all_conversions');
    await prepare([narrow]);
    await (
      await warehouse.open()
    ).write(aContext(), aSlice({ stream: narrow }), pagesOf([aRow()], narrow), {
      runId: randomUUID(),
      leaseEpoch: 1n,
    });
    const { fields } = (await table()).schema;
    const theirs = { name: 'note', type: 'STRING', mode: 'NULLABLE', description: 'Written by the analysts.' };
    const stripped = fields.map((field) => (field.name === 'clicks' ? { ...field, description: 'Changed.' } : field));
    await warehouse.call('PATCH', path, { schema: { fields: [...stripped, theirs] } });
    await prepare();
    const after = (await table()).schema.fields;
    expect(after).toContainEqual(theirs);
    expect(after.find(({ name }) => name === 'clicks')?.description).toBe(
      campaignDaily.columns.find(({ name }) => name === 'clicks')?.description,
    );
    expect(await warehouse.rows()).toMatchObject([{ campaign_id: '1', all_conversions: null, note: null }]);
  });

  it.each([{ defaultPartitionExpirationMs: String(30 * DAY_MS) }, { defaultTableExpirationMs: String(30 * DAY_MS) }])(
    'keeps old days in a dataset with %o, and the expiration that users set later',
    async (expiration) => {
      await makeDataset('EU', expiration);
      await prepare();
      expect(expirationsOf(await table())).toEqual([undefined, undefined]);
      expect(((await warehouse.table('_tributary_runs')) as unknown as Table).expirationTime).toBeUndefined();
      const destination = await warehouse.open();
      await destination.write(aContext(), aSlice(), pagesOf([aRow()]), { runId: randomUUID(), leaseEpoch: 1n });
      expect(await warehouse.rows()).toHaveLength(1);
      const expirationMs = String(3_650 * DAY_MS);
      await warehouse.call('PATCH', path, { timePartitioning: { ...(await table()).timePartitioning, expirationMs } });
      await prepare();
      expect(expirationsOf(await table())).toEqual([expirationMs, undefined]);
    },
  );

  it('sends only reads the second time', async () => {
    await prepare();
    const before = (await warehouse.requests()).length;
    await prepare();
    const methods = (await warehouse.requests())
      .slice(before)
      .map(({ method, path: asked }) => (asked?.endsWith('/token') ? 'token' : method));
    expect(new Set(methods)).toEqual(new Set(['token', 'GET']));
  });

  it('supports concurrent workers without a dataset and while columns are added', async () => {
    await Promise.all(Array.from({ length: 6 }, () => prepare([without(campaignDaily, 'all_conversions')])));
    await Promise.all(Array.from({ length: 4 }, () => prepare()));
    expect((await table()).schema.fields).toHaveLength(campaignDaily.columns.length);
  });
});
