import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorOf, project, startBigQuery } from './bigquery.ts';

let bigQuery: Awaited<ReturnType<typeof startBigQuery>>;
let number = 0;
let table = '';

beforeAll(async () => {
  bigQuery = await startBigQuery();
  await bigQuery.makeDataset('ads');
});
beforeEach(async () => {
  table = `shop_${(number += 1)}`;
  await bigQuery.makeTable('ads', table, {
    description: 'Of a user',
    labels: { team: 'growth' },
    timePartitioning: { type: 'DAY', field: 'date' },
    clustering: { fields: ['account_id'] },
  });
  await bigQuery.query(`INSERT INTO ads.${table} (account_id, date, clicks) VALUES ('a', '2026-01-01', 1)`);
});
afterEach(() => bigQuery.admin('faults', undefined, 'DELETE'));
afterAll(() => bigQuery.close());

const layout = 'PARTITION BY date CLUSTER BY account_id';
const replacing = (select: string, spec = layout) =>
  `CREATE OR REPLACE TABLE ads.${table} (account_id STRING NOT NULL OPTIONS (description = 'Id'), date DATE NOT NULL, clicks FLOAT64,
     PRIMARY KEY (account_id, date) NOT ENFORCED) ${spec} OPTIONS (description = 'New', labels = [('made', 'twice')]) AS ${select}`;
const all = () => `SELECT account_id, date, clicks FROM ads.${table}`;
const read = async () =>
  (await bigQuery.call('GET', `${project}/datasets/ads/tables/${table}`)).body as unknown as Record<string, unknown>;
const policies = `${project}/datasets/ads/tables`;
const start = (jobId: string, query: string) =>
  bigQuery.call('POST', `${project}/jobs`, {
    configuration: { query: { query, useLegacySql: false } },
    jobReference: { projectId: project, jobId, location: 'EU' },
  });
const cancel = (jobId: string) => bigQuery.call('POST', `${project}/jobs/${jobId}/cancel?location=EU`);
const untilRunning = async (jobId: string): Promise<void> => {
  for (;;) {
    const { body } = await bigQuery.call('GET', `${project}/jobs/${jobId}?location=EU`);
    if (String(body.status?.state) !== 'PENDING') return;
  }
};

describe('CREATE OR REPLACE TABLE … AS SELECT', () => {
  it('replaces rows, types and options at once, from a query of the same table, and keeps nothing that it does not repeat', async () => {
    await bigQuery.call('POST', `${policies}/${table}/rowAccessPolicies`, {
      rowAccessPolicyReference: { policyId: 'own' },
      filterPredicate: 'TRUE',
    });
    const rights = { bindings: [{ role: 'roles/bigquery.dataViewer', members: ['domain:example.com'] }] };
    await bigQuery.call('POST', `${policies}/${table}:setIamPolicy`, { policy: rights });
    expect((await bigQuery.call('POST', `${policies}/${table}:getIamPolicy`, {})).body).toMatchObject(rights);
    const before = await read();
    expect(errorOf(await bigQuery.query(replacing(`${all()} UNION ALL SELECT 'b', DATE '2026-01-02', 2`)))).toBe('200');
    expect(await bigQuery.select(`SELECT account_id, clicks FROM ads.${table} ORDER BY 1`)).toEqual([
      ['a', '1.0'],
      ['b', '2.0'],
    ]);
    const after = await read();
    expect(after).toMatchObject({
      ...{ description: 'New', labels: { made: 'twice' }, tableConstraints: { primaryKey: { columns: ['account_id', 'date'] } } },
      schema: {
        fields: [
          { name: 'account_id', type: 'STRING', mode: 'REQUIRED', description: 'Id' },
          { name: 'date', type: 'DATE', mode: 'REQUIRED' },
          { name: 'clicks', type: 'FLOAT', mode: 'NULLABLE' },
        ],
      },
    });
    expect(Number(after.creationTime)).toBeGreaterThan(Number(before.creationTime));
    expect((await bigQuery.call('GET', `${policies}/${table}/rowAccessPolicies`)).body).toEqual({});
    expect((await bigQuery.call('POST', `${policies}/${table}:getIamPolicy`, {})).body).not.toHaveProperty('bindings');
  });

  it.each([
    ['another partitioning', '', /Cannot replace a table with a different partitioning spec/],
    [
      'another clustering',
      'PARTITION BY date CLUSTER BY account_id, date',
      /Cannot replace a table with a different partitioning/,
    ],
  ])('is rejected with %s', async (_, spec, message) => {
    const { body } = await bigQuery.query(replacing(all(), spec));
    expect(body.error?.message).toMatch(message);
    expect(await bigQuery.select(`SELECT clicks FROM ads.${table}`)).toEqual([['1']]);
  });

  it.each([
    ['a value is missing', `SELECT CAST(NULL AS STRING), DATE '2026-01-01', 1`, /Required field account_id cannot be null/],
    ['a value cannot be cast', `SELECT CAST(CAST('x' AS INT64) AS STRING), DATE '2026-01-01', 1`, /Bad int64 value/],
    ['a column has another type', `SELECT 1, DATE '2026-01-01', 1`, /cannot be coerced/],
    [
      'an error is raised',
      `${'SELECT account_id, date, 1.0 FROM ads.shop_1'} UNION ALL SELECT 'a', DATE '2026-01-01', 1.0 FROM (SELECT 1) WHERE IF(EXISTS (SELECT 1 FROM ads.shop_1 WHERE account_id = 'none'), FALSE, ERROR('not held'))`,
      /not held/,
    ],
  ])('changes nothing if %s', async (_, select, message) => {
    const { body } = await bigQuery.query(replacing(select));
    expect(body.error?.message).toMatch(message);
    expect(await bigQuery.select(`SELECT clicks FROM ads.${table}`)).toEqual([['1']]);
  });

  it('is not allowed in a transaction', async () => {
    const { body } = await bigQuery.query(`BEGIN TRANSACTION; ${replacing(all())}; COMMIT TRANSACTION`);
    expect(body.error?.message).toMatch(/CREATE TABLE/);
  });

  it('changes the table after it has read it, and drops rows that came in between', async () => {
    await bigQuery.fault('slow_job', { delayMs: 1_500, times: 1 });
    await start(`late-${table}`, replacing(all()));
    await untilRunning(`late-${table}`);
    expect(await bigQuery.select(`SELECT clicks FROM ads.${table}`)).toEqual([['1']]);
    await bigQuery.query(`INSERT INTO ads.${table} (account_id, date, clicks) VALUES ('b', '2026-01-01', 2)`);
    expect((await bigQuery.finished(`late-${table}`)).status?.errorResult).toBeUndefined();
    expect(await bigQuery.select(`SELECT clicks FROM ads.${table}`)).toEqual([['1.0']]);
  });

  it('is known by the id of its job, which is used once', async () => {
    await start(`once-${table}`, replacing(all()));
    expect(errorOf(await start(`once-${table}`, replacing(all())))).toBe('409 duplicate');
  });

  it('has not happened if its job is canceled in time', async () => {
    await bigQuery.fault('slow_job', { delayMs: 10_000, times: 1 });
    await start(`canceled-${table}`, replacing(all()));
    await untilRunning(`canceled-${table}`);
    // The answer comes before the job has ended.
    expect((await cancel(`canceled-${table}`)).body).toMatchObject({ job: { status: { state: 'RUNNING' } } });
    expect((await bigQuery.finished(`canceled-${table}`)).status?.errorResult?.reason).toBe('stopped');
    expect(await bigQuery.select(`SELECT clicks FROM ads.${table}`)).toEqual([['1']]);
  });

  it('can happen although its job was canceled', async () => {
    await bigQuery.fault('slow_job', { delayMs: 100, times: 1 });
    await bigQuery.fault('cancel_too_late');
    await start(`too-late-${table}`, replacing(all()));
    await untilRunning(`too-late-${table}`);
    await cancel(`too-late-${table}`);
    expect((await bigQuery.finished(`too-late-${table}`)).status?.errorResult).toBeUndefined();
    expect(await bigQuery.select(`SELECT clicks FROM ads.${table}`)).toEqual([['1.0']]);
  });
});

describe('a materialized view', () => {
  it('is listed with its type and its query', async () => {
    const query = `SELECT SUM(clicks) AS clicks FROM ads.${table}`;
    const body = { tableReference: { tableId: `sums_${table}` }, materializedView: { query } };
    await bigQuery.call('POST', `${project}/datasets/ads/tables`, body);
    const { tables } = (await bigQuery.call('GET', `${project}/datasets/ads/tables`)).body as unknown as { tables: object[] };
    expect(tables).toContainEqual(
      expect.objectContaining({
        type: 'MATERIALIZED_VIEW',
        tableReference: expect.objectContaining({ tableId: `sums_${table}` }) as object,
      }),
    );
    const found = await bigQuery.call('GET', `${project}/datasets/ads/tables/sums_${table}`);
    expect(found.body).toMatchObject({ materializedView: { query } });
  });
});

it('row access policies are listed for owners of the data only', async () => {
  await bigQuery.signIn('viewer');
  expect(errorOf(await bigQuery.call('GET', `${policies}/${table}/rowAccessPolicies`))).toBe('403 accessDenied');
  await bigQuery.signIn();
});
