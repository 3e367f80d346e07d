import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Destination, Row } from '../../../src/connectors/kit/contract.js';
import { ReconnectNeeded } from '../../../src/connectors/kit/errors.js';
import { eventually } from '../../factories.js';
import { untilTriggered } from '../../faults.js';
import { startBigQuery, type BigQueryWarehouse } from './bigquery-warehouse.js';
import { aContext } from '../context.js';
import { aRow, aSlice, campaignDaily, pagesOf, sumRowsByDay } from '../rows.js';

let warehouse: BigQueryWarehouse;
let destination: Destination;

beforeAll(async () => {
  warehouse = await startBigQuery();
});
beforeEach(async () => {
  destination = await warehouse.open();
  await destination.prepare(aContext(), [campaignDaily]);
});
afterEach(async () => {
  await warehouse.sandbox.clearFaults();
  await warehouse.call('DELETE', '/datasets/ads?deleteContents=true');
});
afterAll(() => warehouse.sandbox.stop());

const rows: Row[] = [aRow(), aRow({ campaign_id: 2n })];
const fence = () => ({ runId: randomUUID(), leaseEpoch: 1n });
const write = (given = fence(), slice = aSlice()) => destination.write(aContext(), slice, pagesOf(rows), given);

/** A worker that stops when the test says so. */
function stoppable() {
  const controller = new AbortController();
  return { context: { ...aContext(), signal: controller.signal }, stop: () => controller.abort() };
}

interface Job {
  id: string;
  state: string;
  errorResult?: { reason: string };
}
const listJobs = async () => (await warehouse.call('GET', '/jobs'))['jobs'] as Job[];
/** The state of all jobs, each with its error. */
const states = async () => (await listJobs()).map(({ state, errorResult }) => `${state} ${errorResult?.reason ?? ''}`.trim());

/** Another loader of the same table, or queries of the user. https://github.com/m-lab/etl-gardener/issues/293 */
const tooManyStatements =
  'Resources exceeded during query execution: Too many DML statements outstanding against table northwind-marketing:ads.google_ads_campaign_daily, limit is 20.';

describe('transient errors are retried', () => {
  it.each([
    ['down', { resource: 'upload', times: 2 }],
    ['down', { resource: 'jobs', times: 2 }],
    ['server_error', { resource: 'tables', times: 1 }],
    ['drop_connection', { times: 2, afterRequests: 1 }],
    ['rate_limit', { times: 2 }],
    ['rate_limit', { times: 2, status: 429 }],
    ['down', { endpoint: 'token', times: 1 }],
    ['expire_token', {}],
    ['job_fails', { resource: 'load', times: 2 }],
    ['job_fails', { resource: 'query', times: 2, reason: 'jobInternalError' }],
    ['concurrent_update', { times: 3 }],
    ['job_fails', { resource: 'query', times: 2, reason: 'resourcesExceeded', message: tooManyStatements }],
    ['fails_after_applying', { resource: 'load', times: 1 }],
    ['fails_after_applying', { resource: 'query', times: 2 }],
  ])('%s %j', async (fault, parameters) => {
    await warehouse.fault(fault, parameters);
    await expect(write()).resolves.toMatchObject({ rowsWritten: 2 });
    expect(await destination.totals(aContext(), aSlice())).toMatchObject(sumRowsByDay(rows));
    expect(await warehouse.rows()).toHaveLength(2);
  });

  it('looks a job up at once if BigQuery says that it exists already', async () => {
    await warehouse.fault('fails_after_applying', { resource: 'load', times: 1 });
    const statuses: (number | null)[] = [];
    await destination.write(
      { ...aContext(), onRequest: ({ status }) => statuses.push(status) },
      aSlice(),
      pagesOf(rows),
      fence(),
    );
    expect(statuses.filter((status) => status === 409)).toHaveLength(1);
  });

  it('uses another id for every attempt of a job and never loads twice', async () => {
    await warehouse.fault('job_fails', { resource: 'load', times: 2 });
    await write();
    const jobs = (await warehouse.call('GET', '/jobs'))['jobs'] as {
      jobReference: { jobId: string };
      state: string;
      errorResult?: object;
    }[];
    const loads = jobs.filter(({ jobReference }) => jobReference.jobId.startsWith('tributary_load_')).slice(0, 3);
    expect(loads.map(({ jobReference }) => jobReference.jobId.replace(/^.*_/, ''))).toEqual(['3', '2', '1']);
    expect(loads.map(({ errorResult }) => errorResult !== undefined)).toEqual([false, true, true]);
  });

  it('cancels a load left behind by an earlier attempt of the same worker', async () => {
    const given = fence();
    await warehouse.fault('job_never_finishes', { resource: 'load', times: 1 });
    const { context, stop } = stoppable();
    const writing = destination.write(context, aSlice(), pagesOf(rows), given);
    await untilTriggered(warehouse.sandbox, 'job_never_finishes');
    stop();
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    const restarted = await warehouse.open();
    await expect(restarted.write(aContext(), aSlice(), pagesOf(rows), given)).resolves.toMatchObject({ rowsWritten: 2 });
    expect(await warehouse.rows()).toHaveLength(2);
    expect(await states()).toEqual(expect.arrayContaining(['DONE stopped']));
    expect(await states()).not.toContain('RUNNING');
  });

  it(
    'does not keep other runs of the dataset waiting while a failed claim pauses before its retry',
    { timeout: 20_000 },
    async () => {
      await warehouse.fault('job_fails', { resource: 'query', times: 1 });
      const { context, stop } = stoppable();
      const pausing = await warehouse.open({ pace: { retryMs: 600_000 } });
      const writing = pausing.write(context, aSlice(), pagesOf(rows), fence());
      try {
        await untilTriggered(warehouse.sandbox, 'job_fails');
        await expect(destination.write(aContext(), aSlice(), pagesOf(rows), fence())).resolves.toMatchObject({ rowsWritten: 2 });
      } finally {
        stop();
        await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
      }
    },
  );

  it('recovers from an open transaction, because BigQuery ends it at its time limit', async () => {
    const given = fence();
    // The claim is a query too.
    await warehouse.fault('job_never_finishes', { resource: 'query', times: 1, afterRequests: 1 });
    const { context, stop } = stoppable();
    const dying = await warehouse.open({ pace: { jobTimeoutMs: 1_500 } });
    const writing = dying.write(context, aSlice(), pagesOf(rows), given);
    await untilTriggered(warehouse.sandbox, 'job_never_finishes');
    stop();
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    const restarted = await warehouse.open({ pace: { retryMs: 60 } });
    await expect(restarted.write(aContext(), aSlice(), pagesOf(rows), given)).resolves.toMatchObject({ rowsWritten: 2 });
    expect(await warehouse.rows()).toHaveLength(2);
    expect(await states()).not.toContain('RUNNING');
  });
});

describe('errors that need a wait or an action are classified', () => {
  it.each<[string, object, object]>([
    [
      'quota_exceeded',
      {},
      { name: 'RetryLater', failureClass: 'quota', retryAfterSeconds: 3_600, code: 'bigquery.quota_exceeded' },
    ],
    ['rate_limit', {}, { name: 'RetryLater', failureClass: 'quota', code: 'bigquery.rate_limit_exceeded' }],
    ['down', {}, { name: 'RetryLater', failureClass: 'transient', code: 'bigquery.backend_error' }],
    ['drop_connection', {}, { name: 'RetryLater', failureClass: 'transient' }],
    [
      'access_denied',
      {},
      { name: 'FixSettings', failureClass: 'permission', action: expect.stringContaining('BigQuery Data Editor') },
    ],
    [
      'billing_not_enabled',
      {},
      { name: 'FixSettings', failureClass: 'destination', action: expect.stringContaining('billing account') },
    ],
    ['delete_account', {}, { name: 'ReconnectNeeded', code: 'bigquery.token_account_not_found' }],
    ['concurrent_update', {}, { name: 'RetryLater', code: 'bigquery.concurrent_update' }],
    ['job_fails', { reason: 'resourcesExceeded' }, { name: 'SplitSlice' }],
    ['job_fails', { reason: 'invalid' }, { name: 'FixSettings', failureClass: 'schema' }],
    ['job_fails', { reason: 'somethingNew' }, { name: 'RetryLater' }],
  ])('%s %j', async (fault, parameters, expected) => {
    await warehouse.fault(fault, parameters);
    await expect(write()).rejects.toMatchObject({ message: expect.stringMatching(/^[A-Z].*\.$/), ...expected });
    await warehouse.sandbox.clearFaults();
    expect(await warehouse.rows()).toEqual([]);
  });

  it.each([
    ['the connector cancels it', { jobTimeoutMs: 150, pollMs: 20 }],
    ['BigQuery stops it before the next poll', { jobTimeoutMs: 150, pollMs: 1_000 }],
  ])('gives up an unfinished job after one attempt and retries later: %s', async (_, pace) => {
    const countStopped = async () => (await states()).filter((state) => state === 'DONE stopped').length;
    const before = await countStopped();
    await warehouse.fault('job_never_finishes', { resource: 'load' });
    const patient = await warehouse.open({ pace });
    const writing = patient.write(aContext(), aSlice(), pagesOf(rows), fence());
    await expect(writing).rejects.toMatchObject({ name: 'RetryLater', code: 'bigquery.job_never_finished' });
    expect(await countStopped()).toBe(before + 1);
  });

  it.each([
    ['load', 'while it loads', 'tributary_load_'],
    ['query', 'while it replaces', 'tributary_replace_'],
  ])('cancels its %s job when the caller aborts %s', async (resource, _, name) => {
    const countStopped = async () => (await states()).filter((state) => state === 'DONE stopped').length;
    const [given, before] = [fence(), await countStopped()];
    // The claim of the run is a query too.
    await write(given);
    await warehouse.fault('job_never_finishes', { resource });
    const stopping = new AbortController();
    const reason = new Error('stopped by the test');
    const slice = { ...aSlice(), from: '2026-10-01', to: '2026-10-02' };
    const writing = destination.write({ ...aContext(), signal: stopping.signal }, slice, pagesOf(rows), given);
    const refused = expect(writing).rejects.toBe(reason);
    await eventually(listJobs, (jobs) => jobs.some(({ id, state }) => id.includes(name) && state === 'RUNNING'));
    stopping.abort(reason);
    await refused;
    // A cancellation is answered before the job has ended.
    await eventually(states, (all) => !all.includes('RUNNING'));
    expect(await countStopped()).toBe(before + 1);
  });

  it('reports a missing or changed table', async () => {
    const table = `/datasets/ads/tables/${campaignDaily.table}`;
    await warehouse.call('DELETE', table);
    await expect(write()).rejects.toMatchObject({ name: 'FixSettings', failureClass: 'schema', code: 'bigquery.not_found' });
    await warehouse.call('POST', '/datasets/ads/tables', {
      tableReference: { tableId: campaignDaily.table },
      schema: {
        fields: [
          { name: 'account_id', type: 'STRING' },
          { name: 'date', type: 'DATE' },
        ],
      },
    });
    await expect(write()).rejects.toMatchObject({ name: 'FixSettings', failureClass: 'schema', code: 'bigquery.invalid_query' });
  });

  it('sends one request to a server that never answers, then retries later', async () => {
    const hole = createServer(() => undefined);
    hole.listen(0, '127.0.0.1');
    await once(hole, 'listening');
    let requests = 0;
    hole.on('request', () => (requests += 1));
    const baseUrl = `http://127.0.0.1:${(hole.address() as AddressInfo).port}`;
    const lost = await warehouse.open({ operator: { baseUrl }, pace: { answerMs: 300 } });
    await expect(lost.prepare(aContext(), [campaignDaily])).rejects.toMatchObject({ name: 'RetryLater', code: 'http.timeout' });
    expect(requests).toBe(1);
    hole.closeAllConnections();
    hole.close();
  });

  it('limits the billed bytes of every query', async () => {
    await write();
    const given = (await warehouse.requests()).filter(({ path }) => path?.endsWith('/queries') || path?.endsWith('/jobs'));
    const bodies = given.map((request) => JSON.stringify(request)).filter((text) => text.includes('useLegacySql'));
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) expect(body).toContain('maximumBytesBilled');
  });
});

describe('access by a user who has signed in', () => {
  const scope = 'https://www.googleapis.com/auth/bigquery';

  it('loads and requests a fresh token when the last one is rejected', async () => {
    const grants = [
      await warehouse.sandbox.signIn('demo@example.com', [scope]),
      await warehouse.sandbox.signIn('demo@example.com', [scope]),
    ];
    const asked: boolean[] = [];
    const accessToken = (_signal: AbortSignal, options?: { refused: string }) => {
      asked.push(options !== undefined);
      return Promise.resolve(options ? String(grants[1]?.accessToken) : 'ya29.expired');
    };
    const opened = await warehouse.open({ access: { authMode: 'oauth2', accessToken: { accessToken } } });
    await expect(opened.write(aContext(), aSlice(), pagesOf(rows), fence())).resolves.toMatchObject({ rowsWritten: 2 });
    expect(asked).toContain(true);
  });

  it('requires a reconnect when the scope was not granted', async () => {
    const { accessToken } = await warehouse.sandbox.signIn('demo@example.com');
    const opened = await warehouse.open({
      access: { authMode: 'oauth2', accessToken: { accessToken: () => Promise.resolve(accessToken) } },
    });
    const writing = opened.write(aContext(), aSlice(), pagesOf(rows), fence());
    await expect(writing).rejects.toBeInstanceOf(ReconnectNeeded);
    await expect(writing).rejects.toMatchObject({ code: 'bigquery.access_token_scope_insufficient' });
  });
});
