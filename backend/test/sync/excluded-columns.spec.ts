import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aConnectedApp, anOrganization, daysAgo, destinationBody, expectStatus, type Organization } from '../factories.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import type { Estimate } from '../../src/connections/estimate.dto.js';
import * as runs from '../runs.js';

const HISTORY_DAYS = 8;
const UNIFIED = 'ad_performance_daily';
const LEFT_OUT = ['campaign_name', 'conversions', 'exchange_rate'];
const GOOGLE = {
  provider: 'google_ads',
  path: 'google-ads',
  parameter: 'customerId',
  accountId: '9001000011',
  totalsOf: UNIFIED,
};
const META = {
  provider: 'meta_ads',
  path: 'meta-ads',
  parameter: 'accountId',
  accountId: '310000000000012',
  totalsOf: 'campaign_daily',
};
const MICROSOFT = {
  provider: 'microsoft_ads',
  path: 'microsoft-ads',
  parameter: 'accountId',
  accountId: '180500012',
  totalsOf: UNIFIED,
};
const BIGQUERY = { projectId: 'northwind-marketing', datasetId: 'narrow' };
const MIXPANEL_PROJECT = '3100001';

interface Sums {
  rows: number;
  costMicros: string;
  clicks: number;
  impressions: number;
}

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  organization = await anOrganization(app);
  await admin('mixpanel/limits', { exportsPerHour: 10_000, queriesPerHour: 10_000 });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const admin = <Body>(path: string, body?: object): Promise<Body> => sandbox.admin<Body>(path, body);

const range = { from: daysAgo(HISTORY_DAYS), to: daysAgo(-1) };

async function atSource({ path, parameter, accountId, totalsOf }: typeof GOOGLE): Promise<Sums> {
  const query = new URLSearchParams({ [parameter]: accountId, ...range });
  return (await admin<{ streams: Record<string, Sums> }>(`${path}/totals?${query}`)).streams[totalsOf] as Sums;
}

async function inWarehouse({ accountId, provider }: typeof GOOGLE): Promise<Sums> {
  const [sums] = await warehouse.query<Sums & Record<string, unknown>>(
    `select count(*)::int as rows, sum(cost_micros)::text as "costMicros", sum(clicks)::float8 as clicks, sum(impressions)::float8 as impressions
       from ${UNIFIED} where account_id = $1 and platform = $2`,
    [accountId, provider],
  );
  return sums as Sums;
}

const columnsOf = async (table: string): Promise<string[]> =>
  (
    await warehouse.query<{ name: string }>(`select column_name as name from information_schema.columns where table_name = $1`, [
      table,
    ])
  ).map(({ name }) => name);

async function partsOf(source: typeof GOOGLE, destination: Record<string, unknown>) {
  const { call, path } = organization;
  const appId = await aConnectedApp(organization, 'demo@example.com', source.provider);
  const made = { appId, name: source.provider, accountIds: [source.accountId] };
  return {
    sourceId: expectStatus(await call.post<{ id: string }>(`${path}/sources`, made), 201).body.id,
    destinationId: expectStatus(await call.post<{ id: string }>(`${path}/destinations`, destination), 201).body.id,
    streams: [UNIFIED],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    historyFrom: daysAgo(HISTORY_DAYS),
  };
}

async function connect(source: typeof GOOGLE, destination: Record<string, unknown>, leftOut?: object[]): Promise<string> {
  const body = { ...(await partsOf(source, destination)), name: 'Narrow', leftOut };
  const made = expectStatus(await organization.call.post<{ id: string }>(`${organization.path}/connections`, body), 201);
  return `${organization.path}/connections/${made.body.id}`;
}

const narrow = [{ stream: UNIFIED, columns: LEFT_OUT }];

const endedRun = (connection: string) => runs.endedRun(app, organization, connection.split('/').at(-1) ?? '');

describe.each([GOOGLE, META, MICROSOFT])('columns excluded from $provider', (source) => {
  it('are neither created nor written, and the other columns are verified', async () => {
    await warehouse.query(`drop table if exists ${UNIFIED}`);
    const connection = await connect(source, destinationBody(warehouse), narrow);
    expect(await endedRun(connection)).toMatchObject({ state: 'succeeded', failure: null });
    const columns = await columnsOf(UNIFIED);
    expect(columns).toEqual(expect.arrayContaining(['campaign_id', 'currency', 'cost_micros', 'account_name']));
    expect(columns.filter((name) => LEFT_OUT.includes(name))).toEqual([]);
    expect(await inWarehouse(source)).toEqual(await atSource(source));
  });
});

it('an existing column is kept and empty in newly written rows', async () => {
  await warehouse.query(`drop table if exists ${UNIFIED}`);
  const connection = await connect(GOOGLE, destinationBody(warehouse));
  expect(await endedRun(connection)).toMatchObject({ state: 'succeeded' });
  const { body: entry } = await organization.call.get<ConnectionEntry>(connection);
  expectStatus(await organization.call.patch(connection, { leftOut: narrow, version: entry.version }), 200);
  const { streams } = (await organization.call.get<ConnectionEntry>(connection)).body;
  expect(streams.find(({ name }) => name === UNIFIED)?.leftOut).toEqual(LEFT_OUT);
  await admin('faults', {
    provider: 'google-ads',
    fault: 'restate',
    customerId: GOOGLE.accountId,
    from: daysAgo(6),
    to: daysAgo(1),
  });
  expectStatus(await organization.call.post(`${connection}/run`), 202);
  expect(await endedRun(connection)).toMatchObject({ state: 'succeeded' });
  const named = await warehouse.query(`select 1 from ${UNIFIED} where campaign_name is null`);
  expect(named.length).toBeGreaterThan(0);
  expect(await inWarehouse(GOOGLE)).toEqual(await atSource(GOOGLE));
});

it('excluded columns are missing in BigQuery, and the other columns are verified', async () => {
  const serviceAccountKey = JSON.stringify(await admin('bigquery/service-account?name=loader'));
  const settings = { ...BIGQUERY, location: 'EU' };
  const destination = { provider: 'bigquery', name: 'BigQuery', settings, credentials: { serviceAccountKey } };
  const connection = await connect(GOOGLE, destination, narrow);
  expect(await endedRun(connection)).toMatchObject({ state: 'succeeded', failure: null });
  const place = { ...BIGQUERY, tableId: UNIFIED };
  const query = new URLSearchParams({ ...place, accountId: GOOGLE.accountId, ...range });
  const { rows, costMicros, clicks, impressions } = await admin<Sums>(`bigquery/totals?${query}`);
  expect({ rows, costMicros, clicks, impressions }).toEqual(await atSource(GOOGLE));
});

it('excluded columns are not properties in Mixpanel, and the other columns are verified', async () => {
  const settings = { projectId: MIXPANEL_PROJECT, residency: 'US', eventName: 'Narrow' };
  const credentials = { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' };
  const connection = await connect(GOOGLE, { provider: 'mixpanel', name: 'Mixpanel', settings, credentials }, narrow);
  expect(await endedRun(connection)).toMatchObject({ state: 'succeeded', failure: null });
  const query = new URLSearchParams({ projectId: MIXPANEL_PROJECT, event: 'Narrow', accountId: GOOGLE.accountId, ...range });
  const { sums } = await admin<{ sums: Record<string, string> }>(`mixpanel/totals?${query}`);
  const expected = await atSource(GOOGLE);
  expect(Math.round(Number(sums['cost']) * 1e6)).toBe(Number(expected.costMicros));
  expect(Number(sums['clicks'])).toBe(expected.clicks);
  expect(sums['conversions'] ?? '0').toMatch(/^0/);
});

describe('an invalid exclusion', () => {
  it.each([
    ['of a column that identifies rows', { stream: UNIFIED, columns: ['campaign_id'] }, 422, 'connection.needed_column'],
    ['of a column that verifies rows', { stream: UNIFIED, columns: ['clicks'] }, 422, 'connection.needed_column'],
    ['of the currency', { stream: UNIFIED, columns: ['currency'] }, 422, 'connection.needed_column'],
    ['of an unknown column', { stream: UNIFIED, columns: ['nonsense'] }, 422, 'connection.unknown_column'],
    ['of a column of an unknown stream', { stream: 'nonsense', columns: ['date'] }, 422, 'connection.unknown_stream'],
    ['of the same column twice', { stream: UNIFIED, columns: ['conversions', 'conversions'] }, 400, 'request.invalid'],
  ])('%s is rejected', async (_what, leftOut, status, code) => {
    const body = { ...(await partsOf(GOOGLE, destinationBody(warehouse))), name: 'Narrow', leftOut: [leftOut] };
    const answer = await organization.call.post(`${organization.path}/connections`, body);
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it('excluded columns are not in the first rows of an estimate', async () => {
    const body = { ...(await partsOf(GOOGLE, destinationBody(warehouse))), leftOut: narrow };
    const answer = await organization.call.post<Estimate>(`${organization.path}/connections/estimate`, body);
    const { columns, rows } = expectStatus(answer, 200).body.sample;
    expect(columns).not.toEqual(expect.arrayContaining(['conversions']));
    expect(rows.every((row) => row.length === columns.length)).toBe(true);
  });
});
