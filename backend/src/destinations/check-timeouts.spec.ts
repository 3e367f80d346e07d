import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sandboxSettings, shortWaits, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { anOrganization, expectStatus, type Organization } from '../../test/factories.js';
import type { DestinationCheck, DestinationEntry, TestEvent } from './destinations.dto.js';

const LIMIT_MS = 2_000;
const BIGQUERY_TIMED_OUT = 'BigQuery did not finish in time.';

let sandbox: Sandbox;
let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  sandbox = await startSandbox();
  const connectors = {
    bigquery: { ...shortWaits.connectors?.['bigquery'], checkMs: LIMIT_MS },
    mixpanel: { ...shortWaits.connectors?.['mixpanel'], checkMs: LIMIT_MS, visibilityWaitsMs: [10 * LIMIT_MS] },
  };
  app = await startTestApp(sandboxSettings(sandbox.url), { ...shortWaits, connectors });
  organization = await anOrganization(app);
});
afterEach(() => sandbox.clearFaults());
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});

const saveBigQuery = async (datasetId: string) =>
  organization.call.post<DestinationEntry & { detail: string; action: string; checks: DestinationCheck['items'] }>(
    `${organization.path}/destinations`,
    {
      provider: 'bigquery',
      name: 'BigQuery',
      settings: { projectId: 'northwind-marketing', datasetId, location: 'EU' },
      credentials: { serviceAccountKey: JSON.stringify(await sandbox.admin<object>('bigquery/service-account?name=loader')) },
    },
  );

describe('a check of BigQuery that takes longer than its limit', () => {
  it('asks to check again instead of to correct the settings', async () => {
    await sandbox.addFault({ provider: 'bigquery', fault: 'job_never_finishes', resource: 'load' });
    const { status, body } = await saveBigQuery('slow_dataset');
    expect({ status, detail: body.detail, action: body.action }).toEqual({
      status: 422,
      detail: BIGQUERY_TIMED_OUT,
      action: 'Check again',
    });
    expect(body.checks.find(({ state }) => state === 'failed')).toMatchObject({ code: 'loads' });
    await sandbox.clearFaults();
    expectStatus(await saveBigQuery('slow_dataset'), 201);
  });

  it('leaves the state of the destination as it was and opens no alert', async () => {
    const { id } = expectStatus(await saveBigQuery('checked_again'), 201).body;
    await sandbox.addFault({ provider: 'bigquery', fault: 'job_never_finishes', resource: 'query' });
    const { call, path } = organization;
    const { body } = expectStatus(await call.post<DestinationEntry>(`${path}/destinations/${id}/check`), 200);
    expect(body).toMatchObject({ state: 'ready', failure: null });
    expect(body.lastCheck?.items.find(({ state }) => state === 'failed')).toMatchObject({ detail: BIGQUERY_TIMED_OUT });
    expect(await app.database.query('select kind from alerts where organization_id = $1', [organization.id])).toEqual([]);
  });
});

describe('Mixpanel', () => {
  const body = {
    provider: 'mixpanel',
    name: 'Mixpanel',
    settings: { projectId: '3100001', residency: 'US' },
    credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
  };
  const post = <Body>(path: string, given?: object) =>
    organization.call.post<Body>(`${organization.path}/destinations${path}`, given);
  const save = async () => expectStatus(await post<DestinationEntry>('', body), 201).body.id;
  const fault = (name: string, parameters: object) => sandbox.addFault({ provider: 'mixpanel', fault: name, ...parameters });

  it('gives a warning if it has accepted a test event and does not return it within the limit', async () => {
    const id = await save();
    await fault('delay_events', { seconds: 3_600 });
    const { items } = expectStatus(await post<TestEvent>(`/${id}/test-event`), 200).body;
    expect(items).toMatchObject([
      { state: 'passed', isWarning: true, detail: 'Mixpanel accepted the test event but does not return it yet.' },
    ]);
  });

  it('fails a test event that it does not accept within the limit', async () => {
    const id = await save();
    await fault('slow', { endpoint: 'api', delayMs: 10 * LIMIT_MS });
    const { items } = expectStatus(await post<TestEvent>(`/${id}/test-event`), 200).body;
    expect(items).toMatchObject([{ state: 'failed', detail: 'Mixpanel did not finish in time.', action: 'Check again' }]);
  });

  it('fails a check that takes longer than the limit and asks to check again', async () => {
    await fault('slow', { endpoint: 'app', delayMs: 10 * LIMIT_MS });
    const { items } = expectStatus(await post<DestinationCheck>('/check', { ...body, name: undefined }), 200).body;
    expect(items[0]).toMatchObject({ state: 'failed', detail: 'Mixpanel did not finish in time.', action: 'Check again' });
    expect(items.slice(1).every(({ state }) => state === 'skipped')).toBe(true);
  });
});
