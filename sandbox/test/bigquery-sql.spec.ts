import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, project, startBigQuery } from './bigquery.ts';

let bigQuery: Awaited<ReturnType<typeof startBigQuery>>;
beforeAll(async () => {
  bigQuery = await startBigQuery();
  await bigQuery.makeDataset('ads');
  await bigQuery.makeTable('ads', 't', { timePartitioning: { type: 'DAY', field: 'date' } });
  await bigQuery.query(`INSERT INTO ads.t (account_id, date, clicks, conversions, is_brand) VALUES
    ('a', DATE '2026-01-01', 3, 0.5, TRUE), ('a', '2026-01-02', 4, NULL, FALSE), ("b", '2026-01-01', 5, 2, NULL)`);
});
afterEach(() => bigQuery.admin('faults', undefined, 'DELETE'));
afterAll(() => bigQuery.close());

it('sums beyond int64 as NUMERIC, truncates to whole numbers, and fingerprints text', async () => {
  expect(
    await bigQuery.select(`SELECT SUM(CAST(clicks + 9223372036854775000 AS NUMERIC)), SUM(CAST(FLOOR(conversions) AS INT64)),
      COUNT(FARM_FINGERPRINT(account_id)), SUM(CAST(FARM_FINGERPRINT(CAST(NULL AS STRING)) AS NUMERIC)) FROM ads.t`),
  ).toEqual([['27670116110564325012', '2', '3', null]]);
});

describe('a wrong query', () => {
  it.each([
    ['SELEC 1', 'Syntax error: Unexpected identifier "SELEC" at [1:1]'],
    ['SELECT clicks\nFROM ads.t WHERE', 'Syntax error: Unexpected end of input at [2:17]'],
    ['SELECT colour FROM ads.t', 'Unrecognized name: colour at [1:8]'],
    ['SELECT * FROM ads.none', `Not found: Table ${project}:ads.none was not found in location EU at [1:15]`],
    ['SELECT * FROM none.t', `Not found: Dataset ${project}:none was not found in location EU at [1:15]`],
    ['SELECT * FROM t', 'Table "t" must be qualified with a dataset (e.g. dataset.table). at [1:15]'],
    [
      "SELECT 1 FROM ads.t WHERE clicks = 'a'",
      'No matching signature for operator = for argument types: INT64, STRING at [1:34]',
    ],
    ["SELECT 1 FROM ads.t WHERE date = '2026-02-30'", 'Invalid date: 2026-02-30 at [1:32]'],
    ['SELECT 1 FROM ads.t WHERE clicks', 'WHERE clause should return type BOOL, but returns INT64 at [1:27]'],
    [
      'SELECT date, clicks FROM ads.t GROUP BY date',
      'SELECT list expression references column clicks which is neither grouped nor aggregated at [1:14]',
    ],
    ['SELECT clicks / 0 FROM ads.t', 'division by zero: 3 / 0 at [1:1]'],
    ['SELECT 9223372036854775807 + clicks FROM ads.t', 'int64 overflow at [1:1]'],
    ['SELECT * FROM ads.t WHERE account_id = @account', "Query parameter 'account' not found at [1:40]"],
    ['DELETE FROM ads.t', 'DELETE must have a WHERE clause at [1:1]'],
    [
      "INSERT INTO ads.t (account_id, date) VALUES (1, '2026-01-01')",
      'Query column has type INT64 which cannot be inserted into column account_id, which has type STRING at [1:46]',
    ],
    [
      "INSERT INTO ads.t (account_id) VALUES ('a')",
      'Required column value for column date is not present in insert row operation at [1:1]',
    ],
    ["INSERT INTO ads.t (account_id, date) SELECT 'a', CAST(NULL AS DATE)", 'Required field date cannot be null at [1:1]'],
    ['MERGE ads.t USING ads.t s ON TRUE', 'The sandbox does not support MERGE at [1:1]'],
  ])('%s', async (query, message) => {
    expect(await bigQuery.select(query)).toBe(message);
  });

  it('returns 400 invalidQuery, or fails its job', async () => {
    expect(errorOf(await bigQuery.query('SELEC 1'))).toBe('400 invalidQuery');
    await bigQuery.call('POST', `${project}/jobs`, {
      configuration: { query: { query: 'SELEC 1', useLegacySql: false } },
      jobReference: { jobId: 'wrong', location: 'EU' },
    });
    expect((await bigQuery.finished('wrong')).status).toMatchObject({ state: 'DONE', errorResult: { reason: 'invalidQuery' } });
  });

  it('is rejected before it reads more than allowed', async () => {
    const answer = await bigQuery.query('SELECT * FROM ads.t', { maximumBytesBilled: '1000' });
    expect(errorOf(answer)).toBe('400 bytesBilledLimitExceeded');
  });

  it('is rejected without the table’s required filter', async () => {
    const fields = [{ name: 'date', type: 'DATE' }];
    await bigQuery.makeTable('ads', 'filtered', {
      schema: { fields },
      timePartitioning: { field: 'date' },
      requirePartitionFilter: true,
    });
    expect(await bigQuery.select('SELECT * FROM ads.filtered')).toContain('without a filter over column(s)');
    expect(await bigQuery.select("SELECT * FROM ads.filtered WHERE date > '2026-01-01'")).toEqual([]);
  });

  it('is rejected when it changes rows in a project without billing', async () => {
    await bigQuery.makeDataset('ads', 'EU', 'northwind-free');
    await bigQuery.makeTable('ads', 't', {}, 'northwind-free');
    expect((await bigQuery.query('SELECT COUNT(*) FROM ads.t', {}, 'northwind-free')).status).toBe(200);
    expect(errorOf(await bigQuery.query('DELETE FROM ads.t WHERE TRUE', {}, 'northwind-free'))).toBe('403 billingNotEnabled');
    await bigQuery.fault('billing_not_enabled', { times: 1 });
    expect(errorOf(await bigQuery.query('DELETE FROM ads.t WHERE FALSE'))).toBe('403 billingNotEnabled');
  });
});

describe('a query', () => {
  it.each<[string, (string | null)[][]]>([
    [
      'SELECT date, COUNT(*) AS n, SUM(clicks), AVG(clicks) FROM ads.t GROUP BY date ORDER BY date DESC',
      [
        ['2026-01-02', '1', '4', '4.0'],
        ['2026-01-01', '2', '8', '4.0'],
      ],
    ],
    ['SELECT account_id, SUM(clicks) AS s FROM ads.t GROUP BY 1 HAVING SUM(clicks) > 5 ORDER BY s', [['a', '7']]],
    [
      'SELECT COUNT(DISTINCT account_id), COUNTIF(is_brand), MIN(date), MAX(conversions) FROM ads.t',
      [['2', '1', '2026-01-01', '2.0']],
    ],
    ['SELECT clicks FROM `northwind-marketing.ads.t` AS x WHERE x.account_id IN ("a") AND conversions IS NULL', [['4']]],
    ['SELECT clicks FROM northwind-marketing.ads.t WHERE date BETWEEN DATE "2026-01-02" AND "2026-01-31" LIMIT 1', [['4']]],
    [
      'SELECT is_brand, conversions FROM ads.t ORDER BY clicks LIMIT 2 OFFSET 1',
      [
        ['false', null],
        [null, '2.0'],
      ],
    ],
    ['SELECT IF(clicks > 3, "much", "little") FROM ads.t ORDER BY clicks LIMIT 1', [['little']]],
    [
      'SELECT CAST(clicks AS STRING) || "x", COALESCE(conversions, 1), clicks / 2 FROM ads.t WHERE clicks = 4',
      [['4x', '1.0', '2.0']],
    ],
    [
      'SELECT DATE_ADD(date, INTERVAL 30 DAY), SAFE_CAST(account_id AS INT64) FROM ads.t WHERE clicks = 3',
      [['2026-01-31', null]],
    ],
    ['SELECT CASE account_id WHEN "a" THEN 1 ELSE 2 END FROM ads.t WHERE account_id LIKE "%b" OR account_id LIKE "B%"', [['2']]],
    ['SELECT a.clicks FROM ads.t a JOIN (SELECT MAX(clicks) AS m FROM ads.t) b ON a.clicks = b.m', [['5']]],
    ['SELECT account_id FROM ads.t o WHERE NOT EXISTS (SELECT 1 FROM ads.t i WHERE i.clicks > o.clicks)', [['b']]],
    ["SELECT 'it\\'s', \"a\\tb\" -- a comment", [["it's", 'a\tb']]],
    ["SELECT IF(TRUE, 'fine', ERROR('never')) FROM ads.t LIMIT 1", [['fine']]],
    ['SELECT SUM(n) FROM (SELECT clicks AS n FROM ads.t UNION ALL SELECT 100)', [['112']]],
  ])('%s', async (query, rows) => {
    expect(await bigQuery.select(query)).toEqual(rows);
  });

  it('accepts typed named parameters', async () => {
    const rows = await bigQuery.select(
      'SELECT clicks FROM ads.t WHERE account_id = @account AND date >= @from AND clicks < @most',
      {
        account: ['STRING', 'a'],
        from: ['DATE', '2026-01-02'],
        most: ['INT64', '9'],
      },
    );
    expect(rows).toEqual([['4']]);
  });

  it('returns its result in pages, with column types', async () => {
    const first = await bigQuery.query('SELECT clicks, conversions FROM ads.t ORDER BY clicks', { maxResults: 2 });
    expect(first.body).toMatchObject({
      jobComplete: true,
      totalRows: '3',
      schema: { fields: [{ type: 'INTEGER' }, { type: 'FLOAT' }] },
    });
    const id = String(first.body.jobReference?.jobId);
    const second = await bigQuery.call('GET', `${project}/queries/${id}?location=EU&pageToken=${String(first.body.pageToken)}`);
    expect([second.body.rows, second.body.pageToken]).toEqual([[{ f: [{ v: '5' }, { v: '2.0' }] }], undefined]);
  });

  it('with the same request id is the same query', async () => {
    const insert = () =>
      bigQuery.query("INSERT INTO ads.t (account_id, date) VALUES ('once', '2026-03-01')", { requestId: 'request-1' });
    const answers = [await insert(), await insert()];
    expect(answers.map(({ body }) => body.jobReference?.jobId)).toEqual(Array(2).fill(answers[0]?.body.jobReference?.jobId));
    expect(await bigQuery.select("SELECT COUNT(*) FROM ads.t WHERE account_id = 'once'")).toEqual([['1']]);
  });
});

describe('a transaction', () => {
  const count = () => bigQuery.select("SELECT COUNT(*) FROM ads.t WHERE date = '2026-05-01'");
  const insert = "INSERT INTO ads.t (account_id, date) VALUES ('x', '2026-05-01')";

  it.each([
    [
      `BEGIN TRANSACTION; ${insert}; ASSERT 1 = 2 AS 'one is not two'; COMMIT`,
      'Query error: Assertion failed: one is not two at [1:',
    ],
    [`BEGIN TRANSACTION; ${insert}; SELECT ERROR('stop'); COMMIT`, 'Query error: stop at [1:'],
    [`BEGIN; ${insert}; SELECT * FROM ads.none; COMMIT`, 'Query error: Not found: Table'],
    [`BEGIN; ${insert}; SELECT IF((SELECT COUNT(*) FROM ads.t) < 0, TRUE, ERROR('too many')); COMMIT`, 'Query error: too many'],
    [`BEGIN; ${insert}; ROLLBACK`, ''],
    [`BEGIN; ${insert}`, ''],
  ])('changes nothing when it is %s', async (query, message) => {
    expect(String(await bigQuery.select(query))).toContain(message);
    expect(await count()).toEqual([['0']]);
  });

  it('replaces whole days and returns the number of changed rows', async () => {
    await bigQuery.query(insert);
    const replaced = await bigQuery.query(
      `BEGIN TRANSACTION; DELETE FROM ads.t WHERE date BETWEEN '2026-05-01' AND '2026-05-02';
       ASSERT @@row_count = 1; INSERT INTO ads.t (account_id, date, clicks) SELECT account_id, DATE '2026-05-02', SUM(clicks) FROM ads.t WHERE account_id = 'a' GROUP BY account_id; COMMIT TRANSACTION`,
    );
    expect([replaced.status, replaced.body.numDmlAffectedRows]).toEqual([200, '1']);
    expect(await bigQuery.select("SELECT clicks FROM ads.t WHERE date >= '2026-05-01'")).toEqual([['7']]);
    await bigQuery.query("DELETE FROM ads.t WHERE date >= '2026-05-01'");
  });

  it('updates, and truncates', async () => {
    await bigQuery.makeTable('ads', 'short');
    await bigQuery.query("INSERT INTO ads.short (account_id, date, clicks) VALUES ('a', '2026-01-01', 1)");
    const updated = await bigQuery.query('UPDATE ads.short SET clicks = clicks + 1, conversions = 1 WHERE clicks = 1');
    expect(updated.body.numDmlAffectedRows).toBe('1');
    expect(await bigQuery.select('SELECT clicks, conversions FROM ads.short')).toEqual([['2', '1.0']]);
    await bigQuery.query('TRUNCATE TABLE ads.short');
    expect(await bigQuery.select('SELECT COUNT(*) FROM ads.short')).toEqual([['0']]);
  });
});
