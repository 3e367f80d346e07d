import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adsFields, errorOf, loadOf, project, startBigQuery } from './bigquery.ts';

let bigQuery: Awaited<ReturnType<typeof startBigQuery>>;
beforeAll(async () => {
  bigQuery = await startBigQuery();
  await bigQuery.makeDataset('ads');
});
afterEach(() => bigQuery.admin('faults', undefined, 'DELETE'));
afterAll(() => bigQuery.close());

const schema = { fields: adsFields };
const row = (more: object = {}) => `${JSON.stringify({ account_id: 'a', date: '2026-01-01', ...more })}\n`;
const counted = async (table: string) => bigQuery.select(`SELECT COUNT(*) FROM ads.${table}`);

describe('a dry run of a query', () => {
  const dryRun = (query: string, more: object = {}) =>
    bigQuery.call('POST', `${project}/jobs`, {
      configuration: { dryRun: true, query: { query, useLegacySql: false, ...more } },
      jobReference: { projectId: project, location: 'EU' },
    });

  it.each([
    ['SELECT account_id FROM ads.planned', 'SELECT'],
    ["DELETE FROM ads.planned WHERE account_id = 'a'", 'DELETE'],
    ["SELECT 1; DELETE FROM ads.planned WHERE account_id = 'a'", 'SCRIPT'],
  ])('executes nothing, and returns the type: %s', async (query, statementType) => {
    await bigQuery.load(`planned-${statementType}`, 'planned', row(), { schema, writeDisposition: 'WRITE_TRUNCATE' });
    const { status, body } = await dryRun(query);
    expect([status, body.status?.state, body.id]).toEqual([200, 'DONE', undefined]);
    expect(body.statistics?.query).toMatchObject({ statementType });
    expect(await counted('planned')).toEqual([['1']]);
  });

  it('returns the schema and the bytes of a SELECT, and does not evaluate it', async () => {
    await bigQuery.load('planned-schema', 'planned', row(), { schema, writeDisposition: 'WRITE_TRUNCATE' });
    const { body } = await dryRun('SELECT CAST(account_id AS INT64) AS number FROM ads.planned');
    expect(body.statistics?.query?.schema).toEqual({ fields: [{ name: 'number', type: 'INTEGER', mode: 'NULLABLE' }] });
    expect(Number(body.statistics?.totalBytesProcessed)).toBeGreaterThan(0);
  });

  it('returns the error that the query would have', async () => {
    expect(errorOf(await dryRun('SELECT no_column FROM ads.planned'))).toBe('400 invalidQuery');
    expect(errorOf(await dryRun('SELEC 1'))).toBe('400 invalidQuery');
    expect(errorOf(await dryRun('SELECT * FROM ads.planned', { maximumBytesBilled: '1' }))).toBe('400 bytesBilledLimitExceeded');
  });
});

describe('a load job', () => {
  it.each([
    ['a field that the table lacks', { colour: 'red' }, 'No such field: colour.'],
    ['no required field', { account_id: null }, 'Missing required field: account_id.'],
    ['a number out of range', { clicks: '9223372036854775808' }, "Could not convert value '9223372036854775808' to int64"],
    ['a day that does not exist', { date: '2026-02-30' }, "Could not convert value '2026-02-30' to DATE"],
    ['a list', { clicks: [1] }, 'Expected a value but got Array'],
  ])('ends DONE with an error and loads nothing for %s', async (_, change, message) => {
    const id = `bad-${Math.random().toString(36).slice(2)}`;
    const job = await bigQuery.load(id, 'bad', row() + row(change), { schema });
    expect(job.status?.errorResult?.reason).toBe('invalid');
    expect(JSON.stringify(job.status?.errors)).toContain(message.replaceAll('"', '\\"'));
    expect(await counted('bad')).toContain('Not found: Table');
  });

  it('goes from PENDING to DONE, preserves numbers exactly, and accepts gzip', async () => {
    const exact = row({
      clicks: '9007199254740993',
      conversions: 0.30000000000000004,
      is_brand: true,
      seen_at: '2026-01-01T00:00:00Z',
    });
    const large = '{"account_id":"b","date":"2026-01-02","clicks":-9223372036854775808,"conversions":1e21}';
    const started = await bigQuery.startLoad('exact', 'exact', gzipSync(exact + large), { schema });
    expect([started.status, started.body.status?.state, started.body.id]).toEqual([200, 'PENDING', `${project}:EU.exact`]);
    const job = await bigQuery.finished('exact');
    expect(job.statistics?.load).toMatchObject({ outputRows: '2', badRecords: '0' });
    expect(await bigQuery.select('SELECT account_id, clicks, conversions, is_brand FROM ads.exact ORDER BY 1')).toEqual([
      ['a', '9007199254740993', '0.30000000000000004', 'true'],
      ['b', '-9223372036854775808', '1.0E21', null],
    ]);
  });

  it('has an id that cannot be reused, even after a failure', async () => {
    await bigQuery.load('twice', 'twice', row(), { schema });
    const again = await bigQuery.startLoad('twice', 'twice', row(), { schema });
    expect([errorOf(again), again.body.error?.message]).toEqual(['409 duplicate', `Already Exists: Job ${project}:EU.twice`]);
    expect(await counted('twice')).toEqual([['1']]);
    await bigQuery.fault('job_fails', { resource: 'load', times: 1 });
    expect((await bigQuery.load('burned', 'twice', row())).status?.errorResult?.reason).toBe('backendError');
    expect(errorOf(await bigQuery.startLoad('burned', 'twice', row()))).toBe('409 duplicate');
    expect(await counted('twice')).toEqual([['1']]);
  });

  it('appends, truncates, or requires an empty table', async () => {
    const load = async (id: string, writeDisposition: string) => bigQuery.load(id, 'ways', row(), { schema, writeDisposition });
    await load('way-1', 'WRITE_APPEND');
    await load('way-2', 'WRITE_APPEND');
    expect(await counted('ways')).toEqual([['2']]);
    expect((await load('way-3', 'WRITE_EMPTY')).status?.errorResult?.reason).toBe('duplicate');
    await load('way-4', 'WRITE_TRUNCATE');
    expect(await counted('ways')).toEqual([['1']]);
  });

  it('adds columns only with the option', async () => {
    await bigQuery.load('narrow', 'columns', row(), { schema });
    const wider = { schema: { fields: [...adsFields, { name: 'cost', type: 'INTEGER' }] } };
    const refused = await bigQuery.load('wide-1', 'columns', row({ cost: 1 }), wider);
    expect(refused.status?.errorResult?.message).toContain('Provided Schema does not match Table');
    await bigQuery.load('wide-2', 'columns', row({ cost: 1 }), { ...wider, schemaUpdateOptions: ['ALLOW_FIELD_ADDITION'] });
    expect(await bigQuery.select('SELECT cost FROM ads.columns ORDER BY cost')).toEqual([[null], ['1']]);
  });

  it('runs in the location of the dataset and is found only there', async () => {
    await bigQuery.makeDataset('frankfurt', 'europe-west3');
    await bigQuery
      .startLoad('there', 'daily', row(), {
        schema,
        destinationTable: { projectId: project, datasetId: 'frankfurt', tableId: 'daily' },
      })
      .then((answer) => expect(errorOf(answer)).toBe('404 notFound'));
    const job = await bigQuery.query('SELECT 1', { location: 'europe-west3' });
    const id = String(job.body.jobReference?.jobId);
    expect((await bigQuery.call('GET', `${project}/jobs/${id}?location=europe-west3`)).status).toBe(200);
    expect(errorOf(await bigQuery.call('GET', `${project}/jobs/${id}`))).toBe('404 notFound');
  });
});

describe('a resumable upload', () => {
  const chunk = 256 * 1024;
  const rows = Buffer.from(row({ account_id: 'x'.repeat(1_000) }).repeat(600));
  const start = async (jobId: string) => {
    const metadata = {
      configuration: { load: loadOf('resumed', { schema, writeDisposition: 'WRITE_TRUNCATE' }) },
      jobReference: { jobId, location: 'EU' },
    };
    const { headers } = await bigQuery.call(
      'POST',
      `/upload/bigquery/v2/projects/${project}/jobs?uploadType=resumable`,
      metadata,
    );
    return headers.get('location') ?? '';
  };
  const put = (session: string, bytes: Buffer, range: string) =>
    fetch(session, { method: 'PUT', headers: { 'content-range': `bytes ${range}` }, body: new Uint8Array(bytes) });

  it('returns 308 with the received range, and the job at the end', async () => {
    const session = await start('resumed');
    const first = await put(session, rows.subarray(0, chunk), `0-${chunk - 1}/*`);
    expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${chunk - 1}`]);
    expect((await put(session, rows.subarray(0, 10), `${chunk}-${chunk + 9}/*`)).status).toBe(400);
    expect((await put(session, Buffer.alloc(0), 'bytes */*'.slice(6))).headers.get('range')).toBe(`bytes=0-${chunk - 1}`);
    const last = await put(session, rows.subarray(chunk), `${chunk}-${rows.length - 1}/${rows.length}`);
    expect(last.status).toBe(200);
    expect((await bigQuery.finished('resumed')).statistics?.load?.outputRows).toBe('600');
  });

  it('can store a part of a chunk and accept the rest again', async () => {
    const session = await start('partial');
    await bigQuery.fault('partial_upload', { times: 1 });
    const first = await put(session, rows.subarray(0, chunk), `0-${chunk - 1}/*`);
    expect(first.headers.get('range')).toBe(`bytes=0-${chunk / 2 - 1}`);
    const last = await put(session, rows.subarray(chunk / 2), `${chunk / 2}-${rows.length - 1}/${rows.length}`);
    expect(last.status).toBe(200);
    expect((await bigQuery.finished('partial')).statistics?.load?.outputRows).toBe('600');
  });

  it('returns 410 when its session is lost', async () => {
    const session = await start('lost');
    await bigQuery.fault('lose_upload');
    expect((await put(session, rows, `0-${rows.length - 1}/${rows.length}`)).status).toBe(410);
  });
});

describe('jobs', () => {
  const transaction = (table: string) => `BEGIN TRANSACTION; DELETE FROM ads.${table} WHERE account_id = 'a'; COMMIT TRANSACTION`;
  const insertQuery = (jobId: string, query: string) =>
    bigQuery.call('POST', `${project}/jobs`, {
      configuration: { query: { query, useLegacySql: false } },
      jobReference: { jobId, location: 'EU' },
    });

  it('that never finish can be canceled', async () => {
    await bigQuery.fault('job_never_finishes');
    await insertQuery('endless', 'SELECT 1');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await bigQuery.call('GET', `${project}/jobs/endless?location=EU`)).body.status?.state).toBe('RUNNING');
    const waiting = await bigQuery.call('GET', `${project}/queries/endless?location=EU&timeoutMs=10`);
    expect(waiting.body).toMatchObject({ jobComplete: false });
    await bigQuery.call('POST', `${project}/jobs/endless/cancel?location=EU`);
    expect((await bigQuery.finished('endless')).status?.errorResult?.reason).toBe('stopped');
  });

  it('abort the later of two transactions on one table, while a single statement waits', async () => {
    await bigQuery.load('crowd', 'crowd', row() + row({ account_id: 'b' }), { schema });
    await bigQuery.fault('job_never_finishes', { times: 1 });
    await insertQuery('tx-1', transaction('crowd'));
    await new Promise((resolve) => setTimeout(resolve, 60));
    await insertQuery('tx-2', transaction('crowd'));
    const message = /Transaction is aborted due to concurrent update against table northwind-marketing:ads.crowd/;
    expect((await bigQuery.finished('tx-2')).status?.errorResult?.message).toMatch(message);
    await insertQuery('waiting', "DELETE FROM ads.crowd WHERE account_id = 'b'");
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await bigQuery.call('GET', `${project}/jobs/waiting?location=EU`)).body.status?.state).toBe('PENDING');
    await bigQuery.call('POST', `${project}/jobs/tx-1/cancel?location=EU`);
    expect((await bigQuery.finished('waiting')).status?.errorResult).toBeUndefined();
    await insertQuery('tx-3', transaction('crowd'));
    expect((await bigQuery.finished('tx-3')).status?.errorResult).toBeUndefined();
    expect(await counted('crowd')).toEqual([['0']]);
  });

  it('are executed even when the answer is 503', async () => {
    await bigQuery.fault('fails_after_applying', { times: 1, resource: 'load' });
    expect(errorOf(await bigQuery.startLoad('applied', 'applied', row(), { schema }))).toBe('503 backendError');
    expect(errorOf(await bigQuery.startLoad('applied', 'applied', row(), { schema }))).toBe('409 duplicate');
    expect((await bigQuery.finished('applied')).status?.errorResult).toBeUndefined();
    expect(await counted('applied')).toEqual([['1']]);
  });

  it('acknowledge lost rows, and the administration returns the stored count', async () => {
    await bigQuery.fault('drop_rows', { everyNth: 4, table: 'lossy' });
    const rows = Array.from({ length: 8 }, (_, index) => row({ account_id: `${index}`, clicks: 1 })).join('');
    expect((await bigQuery.load('lossy', 'lossy', rows, { schema })).statistics?.load?.outputRows).toBe('8');
    const where = `projectId=${project}&datasetId=ads&tableId=lossy`;
    const totals = await bigQuery.admin(`bigquery/totals?${where}&from=2026-01-01&to=2026-01-31`);
    expect(totals.body).toEqual({ rows: 6, costMicros: '0', clicks: 6, impressions: 0 });
    expect((await bigQuery.admin(`bigquery/rows?${where}&limit=1`)).body.rows?.[0]).toMatchObject({
      account_id: '0',
      clicks: '1',
    });
    expect((await bigQuery.admin(`bigquery/totals?${where}&from=2026-02-30&to=2026-03-01`)).status).toBe(400);
  });

  it.each([
    ['down', {}, '503 backendError'],
    ['server_error', {}, '500 internalError'],
    ['rate_limit', {}, '403 rateLimitExceeded'],
    ['rate_limit', { status: 429 }, '429 rateLimitExceeded'],
    ['quota_exceeded', {}, '403 quotaExceeded'],
    ['access_denied', { resource: 'tables' }, '403 accessDenied'],
  ])('of a call with %s %j fail with %s', async (fault, parameters, expected) => {
    await bigQuery.fault(fault, { ...parameters, times: 1 });
    expect(errorOf(await bigQuery.call('GET', `${project}/datasets/ads/tables`))).toBe(expected);
    expect((await bigQuery.call('GET', `${project}/datasets/ads/tables`)).status).toBe(200);
  });
});
