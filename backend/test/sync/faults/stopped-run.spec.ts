import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { eventually, expectStatus } from '../../factories.js';
import { untilTriggered } from '../../faults.js';
import { aPlatformScenario, type PlatformScenario } from '../../platform-scenario.js';
import { googleAds } from '../../platforms.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await sandbox.clearFaults();
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
});

async function aBigQueryDestination(): Promise<string> {
  const { call, path, id } = scenario.organization;
  const serviceAccountKey = await (await fetch(`${sandbox.url}/admin/bigquery/service-account?name=loader`)).text();
  const settings = { projectId: 'northwind-marketing', datasetId: `ads_${id.slice(-8)}`, location: 'EU' };
  const body = { provider: 'bigquery', name: 'BigQuery', settings, credentials: { serviceAccountKey } };
  return expectStatus(await call.post<{ id: string }>(`${path}/destinations`, body), 201).body.id;
}

async function cancelledJobs(): Promise<string[]> {
  const answer = await fetch(`${sandbox.url}/admin/requests?provider=bigquery&limit=2000`);
  const { requests } = (await answer.json()) as { requests: { method?: string; path?: string; status?: number }[] };
  return requests.flatMap(({ method, path = '', status }) =>
    method === 'POST' && path.endsWith('/cancel') && status === 200 ? [path] : [],
  );
}

describe('a run with an active BigQuery job', () => {
  it.each<[string, (connection: string, runId: string) => Promise<{ status: number }>]>([
    ['canceled', (_connection, runId) => scenario.organization.call.post(`${scenario.organization.path}/runs/${runId}/cancel`)],
    ['ended by a pause of its connection', (connection) => scenario.organization.call.post(`${connection}/pause`)],
  ])('cancels the job when it is %s', async (_how, stop) => {
    const before = (await cancelledJobs()).length;
    const destinationId = await aBigQueryDestination();
    await sandbox.addFault({ provider: 'bigquery', fault: 'job_never_finishes', resource: 'load' });
    const connection = await scenario.connectTo(destinationId, { historyDays: 2, streams: ['campaign_daily'] });
    await untilTriggered(sandbox, 'job_never_finishes');
    const run = await scenario.newestRun(connection);
    expect(run.state).toBe('running');
    expect((await stop(connection, run.id)).status).toBeLessThan(300);
    await eventually(cancelledJobs, (jobs) => jobs.length === before + 1);
    expect(await scenario.newestRun(connection)).toMatchObject({ id: run.id, state: 'cancelled' });
  });
});
