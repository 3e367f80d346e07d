import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BigQuery, type Table } from '@google-cloud/bigquery';
import { OAuth2Client } from 'google-auth-library';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../factories.js';
import { startBigQuery, type BigQueryWarehouse } from './bigquery-warehouse.js';
import { aContext } from '../context.js';
import { aRow, aSlice, campaignDaily, pagesOf } from '../rows.js';

let warehouse: BigQueryWarehouse;
let client: BigQuery;

beforeAll(async () => {
  warehouse = await startBigQuery();
  const destination = await warehouse.open();
  await destination.prepare(aContext(), [campaignDaily]);
  const rows = [
    aRow({ cost_micros: 9_007_199_254_740_993n, campaign_name: 'Größe "日本"\n🚀' }),
    aRow({ campaign_id: 2n, date: '2026-01-02', conversions: null }),
  ];
  await destination.write(aContext(), aSlice(), pagesOf(rows), { runId: randomUUID(), leaseEpoch: 1n });
  const { accessToken } = await warehouse.sandbox.signIn('demo@example.com', ['https://www.googleapis.com/auth/bigquery']);
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: accessToken, expiry_date: Date.now() + 3_000_000 });
  // With a custom endpoint, the client would otherwise send no token.
  const options = {
    projectId: 'northwind-marketing',
    apiEndpoint: warehouse.settings.baseUrl,
    useAuthWithCustomEndpoint: true,
    authClient: authClient as never,
  };
  client = new BigQuery(options);
});
afterEach(() => warehouse.sandbox.clearFaults());
afterAll(() => warehouse.sandbox.stop());

const table = `northwind-marketing.ads.${campaignDaily.table}`;

it('finds the table, with its description, partitions and columns', async () => {
  const [metadata] = await client.dataset('ads').table(campaignDaily.table).getMetadata();
  expect(metadata).toMatchObject({
    numRows: '2',
    description: expect.stringContaining('Loaded by Tributary'),
    timePartitioning: { type: 'DAY', field: 'date' },
  });
  const { fields } = metadata.schema as { fields: { description: string }[] };
  expect(fields.map(({ description }) => description)).toEqual(campaignDaily.columns.map(({ description }) => description));
});

it('reads the rows as they were loaded', async () => {
  const [rows] = await client.dataset('ads').table(campaignDaily.table).getRows({ wrapIntegers: true });
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({
    date: { value: '2026-01-01' },
    campaign_name: 'Größe "日本"\n🚀',
    cost_micros: { value: '9007199254740993' },
    conversions: 1.5,
  });
});

it('queries what was loaded, with parameters and in pages', async () => {
  const query = `SELECT date, campaign_id, conversions FROM \`${table}\` WHERE account_id = @account ORDER BY date`;
  const [rows] = await client.query({ query, params: { account: '9001000011' }, location: 'EU' });
  expect(rows).toMatchObject([
    { date: { value: '2026-01-01' }, campaign_id: 1, conversions: 1.5 },
    { date: { value: '2026-01-02' }, campaign_id: 2, conversions: null },
  ]);
  const [job] = await client.createQueryJob({ query: `SELECT SUM(clicks) AS clicks FROM \`${table}\``, location: 'EU' });
  const [sums] = await job.getQueryResults({ maxResults: 1 });
  expect(sums).toEqual([{ clicks: 20 }]);
});

interface TableMetadata {
  etag: string;
  schema: { fields: object[] };
}

interface JobMetadata {
  status: { state: string; errorResult?: { reason: string } };
}

async function metadataOf<Metadata>(thing: { getMetadata(): Promise<unknown> }): Promise<Metadata> {
  return ((await thing.getMetadata()) as [Metadata])[0];
}

/** As thrown by the client: the first of BigQuery's errors contains the reason. */
const refused = (code: number, reason: string) => ({ code, errors: [expect.objectContaining({ reason })] });

describe('a table that the client creates', () => {
  let folder: string;
  let own: Table;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'official-client-'));
    const schema = [
      { name: 'date', type: 'DATE', mode: 'REQUIRED' },
      { name: 'clicks', type: 'INTEGER' },
    ];
    const [made] = await client.dataset('ads').createTable('own', {
      schema,
      timePartitioning: { type: 'DAY', field: 'date' },
      clustering: { fields: ['clicks'] },
      labels: { tributary: 'owned' },
      location: 'EU',
    });
    own = made;
  });
  afterAll(() => rm(folder, { recursive: true }));

  const load = async (lines: string[], jobId: string): Promise<JobMetadata> => {
    const path = join(folder, 'rows.json');
    await writeFile(path, lines.join('\n'));
    const options = { sourceFormat: 'NEWLINE_DELIMITED_JSON', writeDisposition: 'WRITE_EMPTY', location: 'EU', jobId };
    const [metadata] = await own.load(path, options);
    return metadata as JobMetadata;
  };

  it('cannot be created twice, and a missing table returns 404', async () => {
    await expect(client.dataset('ads').createTable('own', { schema: 'date:date' })).rejects.toMatchObject(
      refused(409, 'duplicate'),
    );
    await expect(client.dataset('ads').table('nowhere').getMetadata()).rejects.toMatchObject(refused(404, 'notFound'));
    expect(await client.dataset('ads').table('nowhere').exists()).toEqual([false]);
    expect(await own.exists()).toEqual([true]);
  });

  it('accepts a load job and returns the reason of a failed one', async () => {
    await expect(load(['{"date":"2026-01-01","clicks":"7"}', '{"date":"never"}'], 'fails')).rejects.toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ reason: 'invalid' })]),
    });
    const metadata = await load(['{"date":"2026-01-01","clicks":"7"}', '{"date":"2026-01-02"}'], 'succeeds');
    expect(metadata).toMatchObject({
      status: { state: 'DONE' },
      statistics: { load: { outputRows: '2', inputFiles: '1' } },
      jobReference: { jobId: 'succeeds', location: 'EU' },
    });
    const [rows] = await own.getRows();
    expect(rows).toMatchObject([
      { date: { value: '2026-01-01' }, clicks: 7 },
      { date: { value: '2026-01-02' }, clicks: null },
    ]);
  });

  it('rejects a job with a used id', async () => {
    await expect(load(['{"date":"2026-01-01"}'], 'succeeds')).rejects.toMatchObject(refused(409, 'duplicate'));
  });

  it('is extended, and not overwritten with an outdated etag', async () => {
    const before = await metadataOf<TableMetadata>(own);
    const fields = [...before.schema.fields, { name: 'note', type: 'STRING', description: 'Added later.' }];
    await own.setMetadata({ schema: { fields } });
    const after = await metadataOf<TableMetadata>(own);
    expect(after.schema.fields).toMatchObject([{ name: 'date' }, { name: 'clicks' }, { name: 'note' }]);
    expect(after.etag).not.toBe(before.etag);
    const stale = own.setMetadata({ etag: before.etag, description: 'From an outdated reader.' });
    await expect(stale).rejects.toMatchObject(refused(412, 'conditionNotMet'));
  });

  it('is listed and can be deleted', async () => {
    const names = async () => (await client.dataset('ads').getTables())[0].map(({ id }) => id);
    expect(await names()).toContain('own');
    await own.delete();
    expect(await names()).not.toContain('own');
  });
});

describe('a query of the client', () => {
  it('returns pages, which the client follows', async () => {
    const query = `SELECT campaign_id FROM \`${table}\` ORDER BY campaign_id`;
    const [job] = await client.createQueryJob({ query, location: 'EU' });
    const [first, next, answer] = await job.getQueryResults({ maxResults: 1, autoPaginate: false });
    expect(first).toEqual([{ campaign_id: 1 }]);
    expect(answer).toMatchObject({ totalRows: '2', jobComplete: true });
    const [second, last] = await job.getQueryResults({ ...next, autoPaginate: false });
    expect([second, last]).toEqual([[{ campaign_id: 2 }], null]);
  });

  it.each([
    ['that does not parse', 'SELEC 1', 'invalidQuery', 400],
    ['with a missing column', `SELECT nothing FROM \`${table}\``, 'invalidQuery', 400],
    ['with a missing table', 'SELECT 1 FROM `northwind-marketing.ads.nowhere`', 'notFound', 404],
  ])('is rejected with a reason: %s', async (_what, query, reason, code) => {
    await expect(client.query({ query, location: 'EU' })).rejects.toMatchObject(refused(code, reason));
  });

  it('is limited to the allowed billed bytes', async () => {
    const query = `SELECT campaign_id FROM \`${table}\``;
    await expect(client.query({ query, location: 'EU', maximumBytesBilled: '1' })).rejects.toMatchObject({
      errors: [expect.objectContaining({ reason: 'bytesBilledLimitExceeded' })],
    });
  });

  it('can be a script of several statements, and an error rolls all of them back', async () => {
    const script = `BEGIN TRANSACTION; DELETE FROM \`${table}\` WHERE TRUE; SELECT IF(FALSE, TRUE, ERROR('stopped by the test')); COMMIT TRANSACTION`;
    const [job] = await client.createQueryJob({ query: script, location: 'EU' });
    await expect(job.getQueryResults()).rejects.toMatchObject({ message: expect.stringContaining('stopped by the test') });
    const [rows] = await client.query({ query: `SELECT COUNT(*) AS rows_left FROM \`${table}\``, location: 'EU' });
    expect(rows).toEqual([{ rows_left: 2 }]);
  });

  it('can be polled while it runs and can be canceled', async () => {
    await warehouse.fault('job_never_finishes', { resource: 'query', times: 1 });
    const [job] = await client.createQueryJob({ query: 'SELECT 1 AS one', location: 'EU' });
    expect((await metadataOf<JobMetadata>(job)).status.state).not.toBe('DONE');
    await job.cancel();
    const { status } = await eventually(
      () => metadataOf<JobMetadata>(job),
      (found) => found.status.state === 'DONE',
    );
    expect(status).toMatchObject({ errorResult: { reason: 'stopped' } });
    const [jobs] = await client.getJobs({ maxResults: 5 });
    expect(jobs.map(({ id }) => id)).toContain(job.id);
  });
});

describe('a fault of BigQuery', () => {
  it.each([
    ['access_denied', 403, 'accessDenied'],
    ['quota_exceeded', 403, 'quotaExceeded'],
    ['rate_limit', 403, 'rateLimitExceeded'],
  ])('%s is returned to the client’s caller', async (fault, code, reason) => {
    await warehouse.fault(fault);
    await expect(client.dataset('ads').getMetadata()).rejects.toMatchObject(refused(code, reason));
  });

  it('in one request is retried by the client', async () => {
    await warehouse.fault('down', { times: 1 });
    expect((await metadataOf<{ location: string }>(client.dataset('ads'))).location).toBe('EU');
  });

  it('in the location of a dataset fails the query', async () => {
    await expect(client.query({ query: `SELECT 1 FROM \`${table}\``, location: 'US' })).rejects.toMatchObject(
      refused(404, 'notFound'),
    );
  });
});

it('creates a dataset in the requested location and deletes it with its content', async () => {
  const [dataset] = await client.createDataset('made_by_client', { location: 'EU' });
  await dataset.createTable('something', { schema: 'number:integer' });
  expect((await client.getDatasets())[0].map(({ id }) => id)).toContain('made_by_client');
  await expect(dataset.delete()).rejects.toMatchObject(refused(400, 'resourceInUse'));
  await dataset.delete({ force: true });
  expect(await dataset.exists()).toEqual([false]);
});
