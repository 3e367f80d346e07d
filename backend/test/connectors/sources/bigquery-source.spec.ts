import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bigqueryConversionSource, bigquerySource } from '../../../src/connectors/bigquery/source/index.js';
import { ServiceAccount } from '../../../src/connectors/bigquery/service-account.js';
import { settingsSchema } from '../../../src/connectors/bigquery/settings.js';
import { querySettingsSchema } from '../../../src/connectors/kit/records/query-settings.js';
import { usualReadLimits } from '../../../src/connectors/kit/records/read-meter.js';
import { eventually } from '../../factories.js';
import { startBigQuery, type BigQueryWarehouse } from '../bigquery/bigquery-warehouse.js';
import { startZetaSql } from '../bigquery/zeta-sql.js';
import { aContext } from '../context.js';
import { startRecordingProxy } from '../recording-proxy.js';
import { measureMemory, readRecords } from './source-pages.js';

let warehouse: BigQueryWarehouse;
let keyFile: string;
const orders = '`northwind-marketing.shop.orders`';

beforeAll(async () => {
  warehouse = await startBigQuery();
  keyFile = await warehouse.keyFile();
});
beforeEach(async () => {
  const datasetReference = { projectId: 'northwind-marketing', datasetId: 'shop' };
  await warehouse.call('POST', '/datasets', { datasetReference, location: 'EU' });
  const columns = { id: 'INT64', email: 'STRING', amount: 'FLOAT64', paid: 'BOOL', day: 'DATE', created_at: 'TIMESTAMP' };
  const fields = Object.entries(columns).map(([name, type]) => ({ name, type, mode: 'NULLABLE' }));
  await warehouse.call('POST', '/datasets/shop/tables', {
    tableReference: { ...datasetReference, tableId: 'orders' },
    schema: { fields },
  });
  await insert(`(1, 'a@example.com', 12.5, TRUE, DATE '2026-03-01', TIMESTAMP '2026-03-01 10:00:00 UTC')`);
  await insert(`(2, 'b@example.com', 7.0, FALSE, DATE '2026-03-02', TIMESTAMP '2026-03-02 10:00:00 UTC')`);
  await insert(`(9007199254740993, 'c@example.com', 0.1, NULL, DATE '2026-03-03', TIMESTAMP '2026-03-03 10:00:00.123456 UTC')`);
});
afterEach(async () => {
  await warehouse.sandbox.clearFaults();
  await warehouse.call('DELETE', '/datasets/shop?deleteContents=true');
});
afterAll(() => warehouse.sandbox.stop());

const insert = (values: string) =>
  warehouse.query(`INSERT INTO ${orders} (id, email, amount, paid, day, created_at) VALUES ${values}`);

interface QueryBody {
  query: string;
  queryParameters: { name: string; parameterType: { type: string } }[];
}

interface Given {
  query?: string;
  timeField?: string | null;
  overlapHours?: number;
}

function sourceOf(given: Given = {}, limits: Partial<typeof usualReadLimits> = {}, key = keyFile, project: object = {}) {
  const place = settingsSchema.parse({ ...warehouse.destinationSettings, ...project });
  const settings = querySettingsSchema.parse({ query: `SELECT * FROM ${orders}`, ...given });
  const tokens = new ServiceAccount(warehouse.settings, place, key);
  return bigquerySource(warehouse.settings, settings, place, tokens, { ...usualReadLimits, ...limits });
}

const read = (given: Given, limits: Partial<typeof usualReadLimits> = {}) => readRecords(sourceOf(given, limits));

describe('a query that changes data', () => {
  it.each([
    ['an INSERT', `INSERT INTO ${orders} (id) VALUES (4)`, 'bigquery.query_rejected'],
    ['a DELETE', `DELETE FROM ${orders} WHERE TRUE`, 'bigquery.query_rejected'],
    ['a second statement', `SELECT 1; DELETE FROM ${orders} WHERE TRUE`, 'bigquery.query_rejected'],
    [
      'a second statement after the end of the subquery',
      `SELECT 1 AS x); DELETE FROM ${orders} WHERE TRUE; SELECT * FROM (SELECT 1 AS x`,
      'bigquery.query_writes',
    ],
    ['a transaction', `SELECT 1 AS x); BEGIN TRANSACTION; SELECT * FROM (SELECT 1 AS x`, 'bigquery.query_writes'],
  ])('with %s is rejected by a read and a sample, and is not run', async (_name, query, code) => {
    const rejection = { name: 'FixSettings', code, action: expect.stringMatching(/^(Use one SELECT|Correct the query)/) };
    await expect(read({ query })).rejects.toMatchObject(rejection);
    await expect(sourceOf({ query }).sample(aContext(), 10)).rejects.toMatchObject(rejection);
    expect(await warehouse.rows('orders', 'shop')).toHaveLength(3);
  });
});

describe('a query that exceeds a limit', () => {
  it.each([
    [{ rows: 2 }, 'bigquery.query_too_many_rows', 'limit of 2 rows'],
    [{ bytes: 100 }, 'bigquery.query_too_many_bytes', 'limit of 100 bytes'],
    [{ milliseconds: 1 }, 'bigquery.query_too_slow', 'limit of 0.001 seconds'],
  ])('of %j is stopped with the limit and one action', async (limits, code, limit) => {
    await expect(read({}, limits)).rejects.toMatchObject({
      ...{
        name: 'FixSettings',
        code,
        message: expect.stringContaining(limit),
        action: expect.stringMatching(/^[A-Z].{8,}[^.]$/),
      },
    });
  });

  it('of time is canceled in BigQuery', async () => {
    await warehouse.fault('job_never_finishes', { resource: 'query', times: 1 });
    const place = settingsSchema.parse(warehouse.destinationSettings);
    const settings = querySettingsSchema.parse({ query: `SELECT * FROM ${orders}` });
    const operator = { ...warehouse.settings, pace: { ...warehouse.settings.pace, jobTimeoutMs: 300 } };
    const source = bigquerySource(operator, settings, place, new ServiceAccount(operator, place, keyFile));
    await expect(readRecords(source)).rejects.toMatchObject({ name: 'FixSettings', code: 'bigquery.query_too_slow' });
    const newest = await eventually(
      async () => ((await warehouse.call('GET', '/jobs')) as { jobs: { state: string; errorResult?: object }[] }).jobs[0],
      (job) => job?.state === 'DONE',
    );
    expect(newest).toMatchObject({ errorResult: { reason: 'stopped' } });
  });
});

describe('a query that fails', () => {
  it.each([
    [`SELECT id FORM ${orders}`, 'bigquery.query_rejected', 'Syntax error'],
    ['SELECT * FROM `northwind-marketing.shop.nothing`', 'bigquery.query_rejected', 'nothing'],
    [`SELECT missing FROM ${orders}`, 'bigquery.query_rejected', 'missing'],
  ])('is rejected before it is run: %s', async (query, code, text) => {
    await expect(read({ query })).rejects.toMatchObject({ name: 'FixSettings', code, message: expect.stringContaining(text) });
  });

  it('does not show values of rows', async () => {
    const error = (await read({ query: `SELECT CAST(email AS INT64) AS number FROM ${orders}` }).catch(
      (caught: unknown) => caught,
    )) as Error;
    expect(error).toMatchObject({ name: 'FixSettings', code: 'bigquery.query_failed' });
    expect(error.message).not.toContain('example.com');
  });

  it.each(['missing', 'email', 'amount'])('rejects %s as the time field', async (timeField) => {
    const rejection = { name: 'FixSettings', code: 'bigquery.query_time_field', message: expect.stringContaining(timeField) };
    await expect(read({ timeField })).rejects.toMatchObject(rejection);
    await expect(sourceOf({ timeField }).sample(aContext(), 5)).rejects.toMatchObject(rejection);
  });

  it('names the role that is missing', async () => {
    const reading = readRecords(sourceOf({}, {}, await warehouse.keyFile('storage')));
    await expect(reading).rejects.toMatchObject({ name: 'FixSettings', failureClass: 'permission' });
  });

  it.each([
    ['down', { times: 100 }, { name: 'RetryLater' }],
    ['quota_exceeded', {}, { name: 'RetryLater', failureClass: 'quota' }],
    ['delete_account', {}, { name: 'ReconnectNeeded' }],
  ])('because of %s has the same consequence as in a load', async (fault, parameters, error) => {
    const source = sourceOf();
    await warehouse.fault(fault, parameters);
    await expect(readRecords(source)).rejects.toMatchObject(error);
  });

  it('in the middle of its pages is retried later, without a cursor', async () => {
    for (let power = 0; power < 10; power++) await warehouse.query(`INSERT INTO ${orders} (id) SELECT id FROM ${orders}`);
    const cursors: unknown[] = [];
    const reading = async () => {
      for await (const { cursor } of sourceOf().read(aContext(), null, new Date())) {
        cursors.push(cursor);
        await warehouse.fault('down', { times: 100 });
      }
    };
    await expect(reading()).rejects.toMatchObject({ name: 'RetryLater' });
    expect(cursors).toEqual([null]);
  });
});

it('values are exact: long numbers are text, and timestamps are ISO text in UTC', async () => {
  const { records } = await read({ query: `SELECT * FROM ${orders} ORDER BY id DESC LIMIT 1 -- the newest` });
  expect(records).toEqual([
    {
      id: '9007199254740993',
      email: 'c@example.com',
      amount: 0.1,
      paid: null,
      day: '2026-03-03',
      created_at: '2026-03-03T10:00:00.123Z',
    },
  ]);
});

describe('a time field', () => {
  const given = { timeField: 'created_at', overlapHours: 12 };

  it('limits a read to the overlap and what is new', async () => {
    const first = await readRecords(sourceOf(given), { since: new Date('2026-03-01T12:00:00Z') });
    expect(first.records.map(({ id }) => id)).toEqual([2, '9007199254740993']);
    expect(first.cursor).toEqual({ newest: '2026-03-03T10:00:00.123Z' });
    for (const [id, at] of [
      [5, '2026-03-04 00:00:00'],
      [6, '2026-03-02 21:00:00'],
      [7, '2026-03-02 23:00:00'],
    ] as const)
      await warehouse.query(`INSERT INTO ${orders} (id, created_at) VALUES (${id}, TIMESTAMP '${at} UTC')`);
    const second = await readRecords(sourceOf(given), { cursor: first.cursor });
    expect(second.records.map(({ id }) => id)).toEqual([7, '9007199254740993', 5]);
  });

  it('in the future does not hide the rows after it', async () => {
    await insert(`(8, 'd@example.com', 1.0, TRUE, DATE '2999-01-01', TIMESTAMP '2999-01-01 00:00:00 UTC')`);
    const { cursor } = await readRecords(sourceOf(given));
    await warehouse.query(`INSERT INTO ${orders} (id, created_at) VALUES (9, CURRENT_TIMESTAMP())`);
    expect((await readRecords(sourceOf(given), { cursor })).records.map(({ id }) => id)).toContain(9);
  });

  it('of type DATE works, and a read without rows starts at the same place again', async () => {
    const source = sourceOf({ timeField: 'day' });
    expect((await readRecords(source, { since: new Date('2026-03-02T15:00:00Z') })).records).toHaveLength(2);
    expect((await readRecords(source, { since: new Date('2027-01-01') })).cursor).toEqual({});
  });
});

it('a sample has the newest records, all fields, the bytes it reads, and shows whether there are more', async () => {
  const sample = await sourceOf({ timeField: 'created_at' }).sample(aContext(), 2);
  expect(sample.records.map(({ email }) => email)).toEqual(['c@example.com', 'b@example.com']);
  expect(sample).toMatchObject({ fields: ['id', 'email', 'amount', 'paid', 'day', 'created_at'], hasMore: true });
  expect(sample.bytesProcessed).toBeGreaterThan(0);
  await warehouse.query(`DELETE FROM ${orders} WHERE TRUE`);
  expect(await sourceOf().sample(aContext(), 3)).toMatchObject({ records: [], hasMore: false, fields: sample.fields });
});

it('reads 200,000 rows in pages with flat memory', async () => {
  const filler = 'x'.repeat(200);
  await warehouse.query(`UPDATE ${orders} SET email = '${filler}' WHERE TRUE`);
  for (let power = 0; power < 16; power++)
    await warehouse.query(`INSERT INTO ${orders} (id, email) SELECT id, email FROM ${orders}`);
  const { records, peak } = await measureMemory(sourceOf().read(aContext(), null, new Date()));
  expect(records).toBe(3 * 2 ** 16);
  // All rows together have 50 MB.
  expect(peak).toBeLessThan(20 * 1024 * 1024);
});

it('the statements around every kind of query are valid for the SQL analyzer of Google', async () => {
  const simple = `SELECT id, day, created_at FROM ${orders}`;
  // The sandbox supports the first one only.
  const queries = [
    simple,
    `WITH paid AS (SELECT * FROM ${orders} WHERE paid) SELECT * FROM paid -- the end`,
    `SELECT *, ROW_NUMBER() OVER (PARTITION BY email ORDER BY created_at) AS place FROM ${orders}`,
  ];
  const proxy = await startRecordingProxy(warehouse.sandbox.url);
  const zetaSql = await startZetaSql();
  try {
    const operator = { ...warehouse.settings, baseUrl: `${proxy.url}/bigquery-api` };
    for (const timeField of ['created_at', 'day', null]) {
      const place = settingsSchema.parse(warehouse.destinationSettings);
      const settings = querySettingsSchema.parse({ query: simple, timeField });
      const source = bigquerySource(operator, settings, place, new ServiceAccount(warehouse.settings, place, keyFile));
      await readRecords(source);
      await source.sample(aContext(), 3);
    }
    const columns = { id: 'INT64', email: 'STRING', amount: 'FLOAT64', paid: 'BOOL', day: 'DATE', created_at: 'TIMESTAMP' };
    const fields = Object.entries(columns).map(([name, type]) => ({ name, type }));
    const statements = proxy.requests.flatMap(({ path, body }) => (path.endsWith('/queries') ? [body as QueryBody] : []));
    expect(statements).toHaveLength(6);
    for (const { query: statement, queryParameters } of statements) {
      const parameters = queryParameters.map(({ name, parameterType }) => ({ name, type: parameterType.type }));
      const tables = [{ name: 'northwind-marketing.shop.orders', fields }];
      for (const query of queries)
        expect(await zetaSql.analyze(statement.replace(simple, query), tables, parameters)).toEqual(['resolvedQueryStmtNode']);
    }
  } finally {
    zetaSql.stop();
    await proxy.stop();
  }
});

it('is opened with the settings and the key of a destination', async () => {
  const connector = bigqueryConversionSource(warehouse.settings);
  const access = { authMode: 'service_account' as const, credentials: { serviceAccountKey: keyFile } };
  const source = connector.open({ query: `SELECT id FROM ${orders};` }, warehouse.destinationSettings, access);
  expect((await readRecords(source)).records).toHaveLength(3);
});
