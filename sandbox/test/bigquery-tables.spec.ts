import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adsFields, errorOf, project, startBigQuery, valuesOf } from './bigquery.ts';

let bigQuery: Awaited<ReturnType<typeof startBigQuery>>;
beforeAll(async () => {
  bigQuery = await startBigQuery();
  await bigQuery.makeDataset('ads');
});
afterAll(() => bigQuery.close());

const path = (table: string) => `${project}/datasets/ads/tables/${table}`;
const partitioned = { timePartitioning: { type: 'DAY', field: 'date' }, clustering: { fields: ['account_id'] } };

describe('datasets', () => {
  it('return 404 until they are created, and 409 when created twice', async () => {
    expect(errorOf(await bigQuery.call('GET', `${project}/datasets/none`))).toBe('404 notFound');
    const made = await bigQuery.makeDataset('once', 'europe-west3');
    expect([made.status, made.body.location, made.body.id]).toEqual([200, 'europe-west3', `${project}:once`]);
    expect(errorOf(await bigQuery.makeDataset('once'))).toBe('409 duplicate');
    expect(errorOf(await bigQuery.makeDataset('bad-name'))).toBe('400 invalid');
    expect(errorOf(await bigQuery.makeDataset('mars', 'mars-north1'))).toBe('400 invalid');
  });

  it('can be changed by their creator, not moved, and not deleted while they contain tables', async () => {
    await bigQuery.makeDataset('full');
    await bigQuery.makeTable('full', 't');
    const described = await bigQuery.call('PATCH', `${project}/datasets/full`, { description: 'Ads.' });
    expect(described.body.description).toBe('Ads.');
    expect(errorOf(await bigQuery.call('PATCH', `${project}/datasets/full`, { location: 'US' }))).toBe('400 invalid');
    expect(errorOf(await bigQuery.call('DELETE', `${project}/datasets/full`))).toBe('400 resourceInUse');
    expect((await bigQuery.call('DELETE', `${project}/datasets/full?deleteContents=true`)).status).toBe(204);
    expect(errorOf(await bigQuery.call('GET', path('t').replace('ads', 'full')))).toBe('404 notFound');
  });
});

describe('expirations of a dataset', () => {
  const dayMs = 86_400_000;
  const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
  const expirationOf = async (table: string) => {
    const { body } = await bigQuery.call('GET', `${project}/datasets/short/tables/${table}`);
    return (body.timePartitioning as { expirationMs?: string } | undefined)?.expirationMs;
  };

  it('apply to new partitioned tables, whose old rows vanish, until a change sets null', async () => {
    await bigQuery.makeDataset('short');
    await bigQuery.call('PATCH', `${project}/datasets/short`, { defaultPartitionExpirationMs: String(30 * dayMs) });
    await bigQuery.makeTable('short', 'daily', { timePartitioning: { ...partitioned.timePartitioning, expirationMs: null } });
    expect(await expirationOf('daily')).toBe(String(30 * dayMs));
    const insert = (day: string) => bigQuery.query(`INSERT INTO short.daily (account_id, date) VALUES ('1', DATE '${day}')`);
    const rows = async () => (await bigQuery.call('GET', `${project}/datasets/short/tables/daily`)).body.numRows;
    await insert(dayBefore(29));
    await insert(dayBefore(31));
    expect(await rows()).toBe('1');
    const change = (expirationMs: string | null) =>
      bigQuery.call('PATCH', `${project}/datasets/short/tables/daily`, {
        timePartitioning: { ...partitioned.timePartitioning, expirationMs },
      });
    expect(errorOf(await change('0'))).toBe('400 invalid');
    expect((await change(null)).status).toBe(200);
    expect(await expirationOf('daily')).toBeUndefined();
    await insert(dayBefore(31));
    expect(await rows()).toBe('2');
  });

  it('of tables do not apply where there is one of partitions', async () => {
    await bigQuery.makeDataset('both');
    await bigQuery.call('PATCH', `${project}/datasets/both`, { defaultTableExpirationMs: String(dayMs) });
    expect((await bigQuery.makeTable('both', 'one', partitioned)).body.expirationTime).toBeDefined();
    await bigQuery.call('PATCH', `${project}/datasets/both`, { defaultPartitionExpirationMs: String(dayMs) });
    expect((await bigQuery.makeTable('both', 'two', partitioned)).body.expirationTime).toBeUndefined();
  });
});

describe('tables', () => {
  it('return their schema with the older type names, partitions, clusters, labels and descriptions', async () => {
    await bigQuery.makeTable('ads', 'daily', { ...partitioned, description: 'By day.', labels: { tributary: 'owned' } });
    const { body } = await bigQuery.call('GET', path('daily'));
    expect(body).toMatchObject({
      ...partitioned,
      description: 'By day.',
      labels: { tributary: 'owned' },
      numRows: '0',
      type: 'TABLE',
      location: 'EU',
    });
    const fields = body.schema?.fields as unknown as { type: string; mode: string }[];
    expect(fields.map(({ type }) => type)).toEqual(['STRING', 'DATE', 'INTEGER', 'FLOAT', 'BOOLEAN', 'TIMESTAMP']);
    expect(fields[0]).toEqual(adsFields[0]);
    expect(errorOf(await bigQuery.makeTable('ads', 'daily'))).toBe('409 duplicate');
  });

  it.each([
    ['a partition by a number', { timePartitioning: { type: 'DAY', field: 'clicks' } }],
    ['a partition by a column that is not there', { timePartitioning: { field: 'nothing' } }],
    ['five clusters', { clustering: { fields: ['account_id', 'date', 'clicks', 'is_brand', 'seen_at'] } }],
    ['an expiration that is over', { expirationTime: '1000' }],
    ['a column twice', { schema: { fields: [adsFields[0], { name: 'ACCOUNT_ID', type: 'STRING' }] } }],
    ['a type nobody knows', { schema: { fields: [{ name: 'a', type: 'TEXT' }] } }],
  ])('reject %s', async (_, more) => {
    expect(errorOf(await bigQuery.makeTable('ads', 'refused', more))).toBe('400 invalid');
  });

  it('accept additional nullable columns, and no stricter ones', async () => {
    await bigQuery.makeTable('ads', 'wider');
    await bigQuery.query(`INSERT INTO ads.wider (account_id, date) VALUES ('a', '2026-01-01')`);
    const patch = async (fields: object[]) => bigQuery.call('PATCH', path('wider'), { schema: { fields } });
    const extra = { name: 'cost', type: 'INTEGER', mode: 'NULLABLE' };
    expect((await patch(adsFields.slice(1))).body.error?.message).toContain('Field account_id is missing in new schema');
    expect((await patch([...adsFields, { ...extra, mode: 'REQUIRED' }])).body.error?.message).toContain(
      'Cannot add required fields',
    );
    expect((await patch(adsFields.map((field) => ({ ...field, type: 'STRING' })))).body.error?.message).toContain('changed type');
    expect((await patch([...adsFields, extra])).status).toBe(200);
    expect(await bigQuery.select('SELECT account_id, cost FROM ads.wider')).toEqual([['a', null]]);
  });

  it('drop and rename columns with ALTER TABLE, and add them again empty', async () => {
    await bigQuery.makeTable('ads', 'altered', { timePartitioning: { type: 'DAY', field: 'date' } });
    await bigQuery.query(`INSERT INTO ads.altered (account_id, date, clicks) VALUES ('a', '2026-01-01', 7)`);
    expect((await bigQuery.query('ALTER TABLE ads.altered RENAME COLUMN clicks TO hits')).status).toBe(200);
    expect(await bigQuery.select('SELECT account_id, hits FROM ads.altered')).toEqual([['a', '7']]);
    expect((await bigQuery.query('ALTER TABLE ads.altered DROP COLUMN hits, ADD COLUMN clicks INT64')).status).toBe(200);
    expect(await bigQuery.select('SELECT account_id, clicks FROM ads.altered')).toEqual([['a', null]]);
    expect(errorOf(await bigQuery.query('ALTER TABLE ads.altered DROP COLUMN date'))).toBe('400 invalidQuery');
    expect(errorOf(await bigQuery.query('ALTER TABLE ads.altered DROP COLUMN nothing'))).toBe('400 invalidQuery');
  });

  it('return 412 for an outdated etag', async () => {
    const { body } = await bigQuery.makeTable('ads', 'raced');
    const etag = String(body.etag);
    expect((await bigQuery.call('PATCH', path('raced'), { description: 'first' }, { 'if-match': etag })).status).toBe(200);
    expect(errorOf(await bigQuery.call('PATCH', path('raced'), { description: 'second' }, { 'if-match': etag }))).toBe(
      '412 conditionNotMet',
    );
  });

  it('return rateLimitExceeded for the sixth change within ten seconds', async () => {
    await bigQuery.makeTable('ads', 'busy');
    const answers: string[] = [];
    for (let change = 0; change < 6; change++)
      answers.push(errorOf(await bigQuery.call('PATCH', path('busy'), { description: `${change}` })));
    expect(answers).toEqual(['200', '200', '200', '200', '200', '403 rateLimitExceeded']);
  });

  it('are deleted when they expire', async () => {
    await bigQuery.makeTable('ads', 'staging', { expirationTime: String(Date.now() + 3_600_000) });
    expect((await bigQuery.call('GET', path('staging'))).status).toBe(200);
    await bigQuery.admin('clock', { offsetDays: 1 });
    expect(errorOf(await bigQuery.call('GET', path('staging')))).toBe('404 notFound');
    await bigQuery.admin('clock', { offsetDays: 0 });
  });

  it('are listed and read in pages', async () => {
    await bigQuery.makeTable('ads', 'paged');
    await bigQuery.query(
      `INSERT INTO ads.paged (account_id, date, seen_at) VALUES ('a', '2026-01-01', '2026-01-01 00:00:01.5'), ('b', '2026-01-02', NULL)`,
    );
    const first = await bigQuery.call('GET', `${path('paged')}/data?maxResults=1&formatOptions.useInt64Timestamp=true`);
    expect(valuesOf(first.body)).toEqual([['a', '2026-01-01', null, null, null, '1767225601500000']]);
    const second = await bigQuery.call('GET', `${path('paged')}/data?maxResults=1&pageToken=${String(first.body.pageToken)}`);
    expect([valuesOf(second.body)[0]?.[0], second.body.totalRows, second.body.pageToken]).toEqual(['b', '2', undefined]);
    const tables = await bigQuery.call('GET', `${project}/datasets/ads/tables?maxResults=1`);
    expect([tables.body.tables?.[0]?.kind, typeof tables.body.nextPageToken]).toEqual(['bigquery#table', 'string']);
  });

  it('survive a restart, with rows, jobs and the key', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const before = await startBigQuery({ dataDir });
    await before.makeDataset('ads');
    await before.load('kept', 'daily', '{"account_id":"a","date":"2026-01-01"}', { schema: { fields: adsFields } });
    const key = await before.keyFile();
    await before.close();
    const after = await startBigQuery({ dataDir });
    expect((await after.keyFile()).private_key).toBe(key.private_key);
    expect(await after.select('SELECT account_id FROM ads.daily')).toEqual([['a']]);
    expect(errorOf(await after.startLoad('kept', 'daily', ''))).toBe('409 duplicate');
    await after.close();
    rmSync(dataDir, { recursive: true });
  });
});
