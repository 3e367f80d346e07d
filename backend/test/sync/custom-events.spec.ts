import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewPushKey } from '../../src/custom-apps/push-events/push-endpoint.dto.js';
import type { SourceEntry } from '../../src/sources/sources.dto.js';
import type { RunDetail } from '../../src/sync/api/runs.dto.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { startSandbox, type Sandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aDraftApp, anOrganization, destinationBody, expectStatus, type Organization, utcDaysAgo } from '../factories.js';
import * as runs from '../runs.js';

const PROJECT = '3100001';

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let organization: Organization;
let appId: string;
let endpoint: NewPushKey;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  await sandbox.admin('mixpanel/limits', { exportsPerHour: 10_000, exportsPerSecond: 1_000, queriesPerHour: 10_000 });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  organization = await anOrganization(app);
  appId = await aDraftApp(organization, 'custom');
  const { call, path } = organization;
  endpoint = expectStatus(await call.post<NewPushKey>(`${path}/apps/${appId}/push/rotate-key`), 200).body;
});

const push = async (events: object[]) => {
  const address = new URL(endpoint.endpoint.url).pathname;
  expectStatus(await app.http.withHeaders({ authorization: `Bearer ${endpoint.key}` }).post(address, events), 202);
};

const orders = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    orderId: `A-${from + index}`,
    value: index / 4,
    note: 'tab\t "quote" \u2028 line\n',
  }));

/** Moves stored events to another day, as if they had been received then. */
const receivedDaysAgo = (days: number) =>
  app.database.query(`update push_events set received_at = received_at - make_interval(days => $2) where app_id = $1`, [
    appId,
    days,
  ]);

async function aSource(accountIds = [appId]): Promise<string> {
  const { call, path } = organization;
  return expectStatus(await call.post<SourceEntry>(`${path}/sources`, { appId, name: 'Shop events', accountIds }), 201).body.id;
}

async function connect(destination: Record<string, unknown>): Promise<string> {
  const { call, path } = organization;
  const made = expectStatus(await call.post<{ id: string }>(`${path}/destinations`, destination), 201).body;
  const answer = await call.post<{ id: string }>(`${path}/connections`, {
    ...{ name: 'Events to warehouse', sourceId: await aSource(), destinationId: made.id, streams: ['events'] },
    ...{ schedule: { kind: 'manual', timeZone: 'UTC' }, historyFrom: utcDaysAgo(5) },
  });
  return `${path}/connections/${expectStatus(answer, 201).body.id}`;
}

const endedRun = (connection: string) => runs.endedRun(app, organization, connection.split('/').at(-1) ?? '');

async function runAgain(connection: string): Promise<RunDetail> {
  expectStatus(await organization.call.post(`${connection}/run`), 202);
  return endedRun(connection);
}

const atWarehouse = () =>
  warehouse.query<{ date: string; payload: string; event_id: string; dedupe_key: string | null }>(
    `select date::text, payload, event_id, dedupe_key from custom_events where account_id = $1 order by event_id`,
    [appId],
  );
const storedIds = async () =>
  (await app.database.query<{ id: string }>('select id from push_events where app_id = $1 order by id', [appId])).map(
    ({ id }) => id,
  );

describe('a source of pushed events', () => {
  it('is rejected for an account other than the app, and for an app without a key', async () => {
    const { call, path } = organization;
    const body = { appId, name: 'Shop events', accountIds: ['another'] };
    expect((await call.post<{ code: string }>(`${path}/sources`, body)).body.code).toBe('source.unknown_account');
    expectStatus(await call.post(`${path}/apps/${appId}/push/revoke-key`), 200);
    const answer = await call.post<{ code: string }>(`${path}/sources`, { ...body, accountIds: [appId] });
    expect(answer.body.code).toBe('app.not_connected');
  });

  it('shows its app as the account, its table, and no more history than is stored', async () => {
    const { call, path } = organization;
    const { body } = await call.get<SourceEntry>(`${path}/sources/${await aSource()}`);
    expect(body).toMatchObject({
      provider: 'custom',
      streams: ['events'],
      state: 'ready',
      accounts: [{ externalId: appId, timeZone: 'UTC' }],
    });
    expect(String(body.earliestAvailable) > utcDaysAgo(89)).toBe(true);
  });

  it('keeps its app from being deleted', async () => {
    await aSource();
    const answer = await organization.call.delete<{ code: string }>(`${organization.path}/apps/${appId}`);
    expect(answer.body.code).toBe('app.in_use');
  });
});

describe('a connection to PostgreSQL', () => {
  it('loads every event once, with its content, and verifies the count', async () => {
    await push(orders(300));
    await receivedDaysAgo(2);
    await push(orders(250, 300));
    const connection = await connect(destinationBody(warehouse));
    const run = await endedRun(connection);
    expect(run).toMatchObject({ state: 'succeeded', rowsRead: 550, rowsWritten: 550 });
    const rows = await atWarehouse();
    expect(rows.map(({ event_id }) => event_id)).toEqual(await storedIds());
    expect(new Set(rows.map(({ date }) => date))).toEqual(new Set([utcDaysAgo(2), utcDaysAgo(0)]));
    const payloads = rows.map(({ payload }) => JSON.parse(payload) as { orderId: string });
    expect(payloads.find(({ orderId }) => orderId === 'A-301')).toEqual(orders(2, 300)[1]);
  });

  it('adds new events in the next run, and keeps the old ones', async () => {
    await push(orders(3));
    const connection = await connect(destinationBody(warehouse));
    expect((await endedRun(connection)).state).toBe('succeeded');
    await push(orders(2, 3));
    expect((await runAgain(connection)).state).toBe('succeeded');
    expect((await atWarehouse()).map(({ event_id }) => event_id)).toEqual(await storedIds());
    expect(await storedIds()).toHaveLength(5);
  });

  it('without any event succeeds, because the count of zero is verified', async () => {
    expect(await endedRun(await connect(destinationBody(warehouse)))).toMatchObject({ state: 'succeeded', rowsRead: 0 });
  });

  it('does not load the events of another app', async () => {
    await push(orders(2));
    const other = await anOrganization(app);
    const mine = organization;
    const connection = await connect(destinationBody(warehouse));
    await endedRun(connection);
    expect(other.id).not.toBe(mine.id);
    const { call, path } = other;
    const body = { appId, name: 'Stolen', accountIds: [appId] };
    expectStatus(await call.post(`${path}/sources`, body), 404);
  });
});

it('a connection to BigQuery loads every event', async () => {
  await push(orders(20));
  const key = await sandbox.admin<object>('bigquery/service-account?name=loader');
  const connection = await connect({
    ...{ provider: 'bigquery', name: 'BigQuery' },
    settings: { projectId: 'northwind-marketing', datasetId: 'events', location: 'EU' },
    credentials: { serviceAccountKey: JSON.stringify(key) },
  });
  expect(await endedRun(connection)).toMatchObject({ state: 'succeeded', rowsWritten: 20 });
  const place = 'projectId=northwind-marketing&datasetId=events&tableId=custom_events';
  const { rows } = await sandbox.admin<{ rows: { event_id: string; account_id: string }[] }>(`bigquery/rows?${place}`);
  expect(rows.map(({ event_id }) => event_id).sort()).toEqual(await storedIds());
});

it('a connection to Mixpanel sends every event', async () => {
  await push(orders(20));
  await receivedDaysAgo(1);
  const eventName = `Shop ${appId.slice(-8)}`;
  const connection = await connect({
    ...{ provider: 'mixpanel', name: 'Mixpanel', settings: { projectId: PROJECT, residency: 'US', eventName } },
    credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
  });
  expect((await endedRun(connection)).state).toBe('succeeded');
  const query = { projectId: PROJECT, accountId: appId, from: utcDaysAgo(5), to: utcDaysAgo(-1) };
  const { events } = await sandbox.admin<{ events: number }>(`mixpanel/totals?${new URLSearchParams(query)}`);
  expect(events).toBe(20);
});
