import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConversionSource } from '../../../src/connectors/kit/conversion-source.js';
import { querySettingsSchema } from '../../../src/connectors/kit/records/query-settings.js';
import {
  postgresqlConversionSource,
  postgresqlSource,
  usualSourceLimits,
} from '../../../src/connectors/postgresql/source/index.js';
import { aContext } from '../context.js';
import { startTcpProxy } from '../tcp-proxy.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';
import { measureMemory, readRecords } from './source-pages.js';

let warehouse: Warehouse;
const open: ConversionSource[] = [];

beforeAll(async () => {
  warehouse = await startWarehouse();
  await warehouse.query(`CREATE SEQUENCE order_numbers`);
  await warehouse.query(
    `CREATE FUNCTION remove_orders() RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM orders; RETURN 1; END'`,
  );
});
beforeEach(async () => {
  await warehouse.query(`CREATE TABLE orders (id bigint, email text, amount numeric, created_at timestamptz)`);
  await warehouse.query(`INSERT INTO orders VALUES
    (1, 'a@example.com', 12.50, '2026-03-01T10:00:00Z'), (2, 'b@example.com', 7, '2026-03-02T10:00:00Z'),
    (9007199254740993, 'c@example.com', 0.1, '2026-03-03T10:00:00.123456Z')`);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((source) => source.close()));
  await warehouse.query(`DROP TABLE IF EXISTS orders, copied`);
});
afterAll(() => warehouse.stop());

interface Given {
  query?: string;
  timeField?: string | null;
  overlapHours?: number;
}

function sourceOf(given: Given = {}, limits: Partial<typeof usualSourceLimits> = {}, port = warehouse.settings.port) {
  const settings = querySettingsSchema.parse({ query: 'SELECT * FROM orders', ...given });
  const source = postgresqlSource(settings, { ...warehouse.settings, port }, ownNetwork, { ...usualSourceLimits, ...limits });
  open.push(source);
  return source;
}

const read = (given: Given, limits: Partial<typeof usualSourceLimits> = {}) => readRecords(sourceOf(given, limits));

describe('a query that changes data', () => {
  const rejections: [string, string, object][] = [
    ['an INSERT', `INSERT INTO orders VALUES (4) RETURNING id`, { code: 'postgresql.query_42601' }],
    ['SELECT INTO', `SELECT * INTO copied FROM orders`, { code: 'postgresql.query_42601' }],
    ['a function that deletes', `SELECT remove_orders()`, { code: 'postgresql.query_writes' }],
    ['a sequence', `SELECT nextval('order_numbers')`, { code: 'postgresql.query_writes' }],
    ['a row lock', `SELECT * FROM orders FOR UPDATE`, { code: 'postgresql.query_writes' }],
    [
      'a WITH that deletes',
      `WITH gone AS (DELETE FROM orders RETURNING id) SELECT id FROM gone`,
      { code: 'postgresql.query_0a000' },
    ],
    ['a second statement', `SELECT 1; DELETE FROM orders`, { code: 'postgresql.query_42601' }],
    [
      'a second statement after the end of the subquery',
      `SELECT 1) AS records; DELETE FROM orders; SELECT * FROM (SELECT 1`,
      { code: 'postgresql.query_42601' },
    ],
    ['a COMMIT inside', `SELECT 1) AS records; COMMIT; DELETE FROM orders; --`, { code: 'postgresql.query_42601' }],
    [
      'a change of the mode of the transaction',
      `SELECT set_config('transaction_read_only', 'off', true), remove_orders()`,
      { code: 'postgresql.query_writes' },
    ],
  ];

  it.each(rejections)('with %s is rejected by a read and a sample, and changes nothing', async (_name, query, error) => {
    const rejection = { name: 'FixSettings', action: expect.stringMatching(/SELECT statement|Correct the query/), ...error };
    await expect(read({ query })).rejects.toMatchObject(rejection);
    await expect(sourceOf({ query }).sample(aContext(), 10)).rejects.toMatchObject(rejection);
    expect(await warehouse.query(`SELECT FROM orders`)).toHaveLength(3);
    expect(await warehouse.query(`SELECT FROM pg_class WHERE relname = 'copied'`)).toEqual([]);
  });

  it('cannot keep a lock or a setting of the session after the read', async () => {
    await read({ query: `SELECT pg_advisory_lock(77), set_config('search_path', 'elsewhere', false)` });
    for (;;) {
      if ((await warehouse.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 77`)).length === 0) break;
      await delay(20);
    }
    expect((await read({})).records).toHaveLength(3);
  });
});

describe('a query that exceeds a limit', () => {
  const many = 'SELECT * FROM generate_series(1, 5000) AS number';
  it.each([
    [{ query: 'SELECT pg_sleep(20)' }, { statementMs: 200 }, 'postgresql.query_too_slow', '0.2 seconds'],
    [
      { query: 'SELECT pg_sleep(0.01) FROM generate_series(1, 1000)' },
      { milliseconds: 300 },
      'postgresql.query_too_slow',
      '0.3 s',
    ],
    [{ query: many }, { rows: 3_000 }, 'postgresql.query_too_many_rows', '3,000 rows'],
    [{ query: many }, { bytes: 9_000 }, 'postgresql.query_too_many_bytes', '9,000 bytes'],
    [{ query: `SELECT repeat('x', 3000000)` }, { answerBytes: 1_000_000 }, 'postgresql.query_too_many_bytes', '1,000,000 bytes'],
  ])('%j is stopped with the limit and one action', async (given, limits, code, limit) => {
    await expect(read(given, limits)).rejects.toMatchObject({
      ...{
        name: 'FixSettings',
        code,
        message: expect.stringContaining(limit),
        action: expect.stringMatching(/^[A-Z].{8,}[^.]$/),
      },
    });
  });

  it('keeps what was read before it if the query has a time field', async () => {
    const query = `SELECT number, '2026-03-01'::timestamptz + number * interval '1 minute' AS at FROM generate_series(1, 5000) AS number`;
    const source = sourceOf({ query, timeField: 'at', overlapHours: 0 }, { rows: 3_000 });
    const cursors: unknown[] = [];
    const reading = async () => {
      for await (const { cursor } of source.read(aContext(), null, new Date('2026-01-01'))) cursors.push(cursor);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'postgresql.query_too_many_rows' });
    expect(cursors.at(-1)).toEqual({ newest: expect.stringMatching(/^2026-03-0[23]T/) });
  });
});

describe('a query that fails', () => {
  it('names the line of a syntax error', async () => {
    await expect(read({ query: 'SELECT id,\n  amount\nFORM orders' })).rejects.toMatchObject({
      name: 'FixSettings',
      message: 'PostgreSQL rejects the query at line 3: "syntax error at or near "orders"".',
      action: 'Correct the query',
    });
  });

  it('does not show values of rows', async () => {
    const error = (await read({ query: 'SELECT email::int FROM orders' }).catch((caught: unknown) => caught)) as Error;
    expect(error).toMatchObject({ name: 'FixSettings', code: 'postgresql.query_22p02' });
    expect(error.message).not.toContain('example.com');
  });

  it.each([
    ['SELECT * FROM nowhere', 'postgresql.query_42p01'],
    ['SELECT id, email AS id FROM orders', 'postgresql.query_duplicate_column'],
  ])('names the reason: %s', async (query, code) => {
    await expect(read({ query })).rejects.toMatchObject({ name: 'FixSettings', code });
  });

  it.each(['missing', 'email', 'amount'])('rejects %s as the time field', async (timeField) => {
    const rejection = { name: 'FixSettings', code: 'postgresql.query_time_field', message: expect.stringContaining(timeField) };
    await expect(read({ timeField })).rejects.toMatchObject(rejection);
    await expect(sourceOf({ timeField }).sample(aContext(), 5)).rejects.toMatchObject(rejection);
  });

  it('names the missing permission', async () => {
    await warehouse.query(`CREATE ROLE source_reader LOGIN PASSWORD 'reader-secret'`);
    try {
      const settings = { ...warehouse.settings, user: 'source_reader', password: 'reader-secret' };
      const source = postgresqlSource(querySettingsSchema.parse({ query: 'SELECT * FROM orders' }), settings, ownNetwork);
      open.push(source);
      const error = (await readRecords(source).catch((caught: unknown) => caught)) as Error;
      expect(error).toMatchObject({
        ...{ name: 'FixSettings', failureClass: 'permission', action: 'Grant "source_reader" SELECT on the tables of the query' },
      });
      expect(inspect(error, { depth: 9 })).not.toContain('reader-secret');
    } finally {
      await warehouse.query(`DROP ROLE source_reader`);
    }
  });
});

describe('a broken connection', () => {
  it('in the middle of a read is retried later, and the read is not complete', async () => {
    const proxy = await startTcpProxy(warehouse.settings);
    const source = sourceOf({ query: 'SELECT * FROM generate_series(1, 100000) AS number' }, {}, proxy.port);
    const cursors: unknown[] = [];
    const reading = async () => {
      for await (const { cursor } of source.read(aContext(), null, new Date())) {
        cursors.push(cursor);
        if (cursors.length === 3) proxy.close();
      }
    };
    await expect(reading()).rejects.toMatchObject({ name: 'RetryLater' });
    expect(new Set(cursors)).toEqual(new Set([null]));
    await source.close();
  });

  it('of an abort ends the query at the server', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped by the test');
    const reading = readRecords(sourceOf({ query: 'SELECT pg_sleep(60)' }), {
      context: { ...aContext(), signal: controller.signal },
    });
    const isRunning = `SELECT FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND state = 'active' AND datname = current_database()`;
    while ((await warehouse.query(isRunning)).length === 0) await delay(20);
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });
});

describe('values', () => {
  it('are exact: long numbers are text, timestamps are ISO text in UTC, objects are flattened', async () => {
    await warehouse.query(`SET TIME ZONE 'Asia/Tokyo'`);
    const query = `SELECT 9007199254740993 AS long, 12.50 AS price, 1.234567890123456789 AS precise, 'NaN'::float8 AS unknown, true AS paid,
      timestamptz '2026-03-01 12:00:00.123456+02' AS at, timestamp '2026-03-01 12:00' AS local, date '2026-03-01' AS day,
      jsonb '{"plan": {"name": "Pro", "id": 12345678901234567890}, "tags": ["a", 1]}' AS properties, NULL AS nothing, ARRAY[1, 2] AS list -- the end`;
    expect((await read({ query })).records).toEqual([
      {
        long: '9007199254740993',
        price: 12.5,
        precise: '1.234567890123456789',
        unknown: 'NaN',
        paid: true,
        at: '2026-03-01T10:00:00.123Z',
        local: '2026-03-01T12:00:00.000Z',
        day: '2026-03-01',
        'properties.plan.name': 'Pro',
        'properties.plan.id': '12345678901234567890',
        'properties.tags': '["a",1]',
        nothing: null,
        list: '{1,2}',
      },
    ]);
  });
});

describe('a time field', () => {
  const given = { timeField: 'created_at', overlapHours: 12 };

  it('limits a read to the overlap and what is new', async () => {
    const first = await readRecords(sourceOf(given), { since: new Date('2026-03-01T12:00:00Z') });
    expect(first.records.map(({ id }) => id)).toEqual([2, '9007199254740993']);
    expect(first.cursor).toEqual({ newest: '2026-03-03T10:00:00.123Z' });
    await warehouse.query(
      `INSERT INTO orders (id, created_at) VALUES (5, '2026-03-04T00:00:00Z'), (6, '2026-03-02T21:00:00Z'), (7, '2026-03-02T23:00:00Z')`,
    );
    const second = await readRecords(sourceOf(given), { cursor: first.cursor });
    expect(second.records.map(({ id }) => id)).toEqual([7, '9007199254740993', 5]);
  });

  it('in the future does not hide the rows after it', async () => {
    await warehouse.query(`INSERT INTO orders (id, created_at) VALUES (8, '2999-01-01')`);
    const { cursor } = await readRecords(sourceOf(given));
    await warehouse.query(`INSERT INTO orders (id, created_at) VALUES (9, now())`);
    expect((await readRecords(sourceOf(given), { cursor })).records.map(({ id }) => id)).toContain(9);
  });

  it('of type date works, and a read without rows starts at the same place again', async () => {
    const source = sourceOf({ query: 'SELECT id, created_at::date AS day FROM orders', timeField: 'day' });
    expect((await readRecords(source)).records).toHaveLength(3);
    const empty = await readRecords(source, { since: new Date('2027-01-01') });
    expect(empty).toEqual({ records: [], pages: [{ cursor: {} }, { cursor: {} }], cursor: {} });
  });
});

it('without a time field, every read returns all rows, and only its end has a cursor', async () => {
  const query = 'SELECT * FROM generate_series(1, 2500) AS number';
  const { records, pages, cursor } = await read({ query });
  expect(records).toHaveLength(2_500);
  expect(pages.slice(0, -1).every((page) => page.cursor === null)).toBe(true);
  expect(pages.at(-1)?.cursor).toEqual({});
  expect((await readRecords(sourceOf({ query }), { cursor })).records).toHaveLength(2_500);
});

it('a sample has the newest records, all fields, and shows whether there are more', async () => {
  const { records, fields, hasMore } = await sourceOf({ timeField: 'created_at' }).sample(aContext(), 2);
  expect(records.map(({ email }) => email)).toEqual(['c@example.com', 'b@example.com']);
  expect([fields, hasMore]).toEqual([['id', 'email', 'amount', 'created_at'], true]);
  expect(await sourceOf().sample(aContext(), 3)).toMatchObject({ hasMore: false });
  await warehouse.query('DELETE FROM orders');
  expect(await sourceOf().sample(aContext(), 3)).toEqual({
    records: [],
    fields: ['id', 'email', 'amount', 'created_at'],
    hasMore: false,
  });
});

it('reads 200,000 rows with flat memory', async () => {
  const query = `SELECT number, md5(number::text) AS id, repeat('x', 200) AS filler, now() AS at FROM generate_series(1, 200000) AS number`;
  const { records, peak } = await measureMemory(sourceOf({ query }).read(aContext(), null, new Date()));
  expect(records).toBe(200_000);
  // All rows together have 100 MB.
  expect(peak).toBeLessThan(20 * 1024 * 1024);
});

it('is opened with the settings and the password of a destination', async () => {
  const { password, ...place } = warehouse.settings;
  const connector = postgresqlConversionSource(ownNetwork);
  const source = connector.open({ query: 'SELECT id FROM orders;' }, place, { authMode: 'password', credentials: { password } });
  open.push(source);
  expect((await readRecords(source)).records).toHaveLength(3);
  expect(connector.settingsSchema.safeParse({ query: ' ; ' }).success).toBe(false);
});
