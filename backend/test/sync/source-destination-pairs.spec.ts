import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aConnectedApp, anOrganization, daysAgo, destinationBody, expectStatus, type Organization } from '../factories.js';
import type { RunDetail } from '../../src/sync/api/runs.dto.js';
import * as runs from '../runs.js';

const HISTORY_DAYS = 12;
const STREAM = 'ad_performance_daily';
const BIGQUERY_PROJECT = 'northwind-marketing';
const MIXPANEL_PROJECT = '3100001';

/** The compared totals. Rows of Mixpanel are events; a restated row has several events. */
interface Sums {
  rows: number | null;
  costMicros: string;
  clicks: number;
  impressions: number;
}

interface SourceKind {
  provider: 'google_ads' | 'meta_ads' | 'microsoft_ads';
  path: string;
  /** The sandbox's name of the account parameter. */
  parameter: string;
  accountId: string;
  /** The platform's own report from which the unified table is built. */
  totalsOf: string;
}

/** Accounts with a lookback window of more than ten days, so that restated days are read again. */
const sources: SourceKind[] = [
  { provider: 'google_ads', path: 'google-ads', parameter: 'customerId', accountId: '9001000011', totalsOf: STREAM },
  { provider: 'meta_ads', path: 'meta-ads', parameter: 'accountId', accountId: '310000000000012', totalsOf: 'campaign_daily' },
  { provider: 'microsoft_ads', path: 'microsoft-ads', parameter: 'accountId', accountId: '180500012', totalsOf: STREAM },
];
const destinations = ['postgresql', 'bigquery', 'mixpanel'] as const;
const pairs = sources.flatMap((source) => destinations.map((destination) => ({ source, destination })));

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

async function atSource({ path, parameter, accountId, totalsOf }: SourceKind): Promise<Sums> {
  const query = new URLSearchParams({ [parameter]: accountId, from: daysAgo(HISTORY_DAYS), to: daysAgo(-1) });
  const { streams } = await admin<{ streams: Record<string, Sums> }>(`${path}/totals?${query}`);
  return streams[totalsOf] as Sums;
}

const atDestination: Record<(typeof destinations)[number], (source: SourceKind) => Promise<Sums>> = {
  async postgresql({ accountId, provider }) {
    const [sums] = await warehouse.query<Sums & Record<string, unknown>>(
      `select count(*)::int as rows, coalesce(sum(cost_micros), 0)::text as "costMicros", coalesce(sum(clicks), 0)::float8 as clicks,
              coalesce(sum(impressions), 0)::float8 as impressions from ${STREAM} where account_id = $1 and platform = $2`,
      [accountId, provider],
    );
    return sums as Sums;
  },
  bigquery({ accountId }) {
    const place = { projectId: BIGQUERY_PROJECT, datasetId: 'marketing', tableId: STREAM };
    return admin(`bigquery/totals?${new URLSearchParams({ ...place, accountId, from: daysAgo(HISTORY_DAYS), to: daysAgo(-1) })}`);
  },
  async mixpanel({ accountId }) {
    const query = { projectId: MIXPANEL_PROJECT, accountId, from: daysAgo(HISTORY_DAYS), to: daysAgo(-1) };
    const { sums } = await admin<{ sums: Record<string, string> }>(`mixpanel/totals?${new URLSearchParams(query)}`);
    const costMicros = String(Math.round(Number(sums['cost']) * 1e6));
    return { rows: null, costMicros, clicks: Number(sums['clicks']), impressions: Number(sums['impressions']) };
  },
};

async function aDestination(kind: (typeof destinations)[number]): Promise<string> {
  const { body } = expectStatus(
    await organization.call.post<{ id: string }>(`${organization.path}/destinations`, await bodyOf(kind)),
    201,
  );
  return body.id;
}

async function bodyOf(kind: (typeof destinations)[number]): Promise<Record<string, unknown>> {
  if (kind === 'postgresql') return destinationBody(warehouse);
  if (kind === 'mixpanel')
    return {
      provider: kind,
      name: 'Mixpanel',
      settings: { projectId: MIXPANEL_PROJECT, residency: 'US' },
      credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
    };
  const key = await admin<object>('bigquery/service-account?name=loader');
  return {
    provider: kind,
    name: 'BigQuery',
    settings: { projectId: BIGQUERY_PROJECT, datasetId: 'marketing', location: 'EU' },
    credentials: { serviceAccountKey: JSON.stringify(key) },
  };
}

async function aConnection(source: SourceKind, destination: (typeof destinations)[number]): Promise<string> {
  const { call, path } = organization;
  const appId = await aConnectedApp(organization, 'demo@example.com', source.provider);
  const made = expectStatus(
    await call.post<{ id: string }>(`${path}/sources`, { appId, name: source.provider, accountIds: [source.accountId] }),
    201,
  );
  const { body } = expectStatus(
    await call.post<{ id: string }>(`${path}/connections`, {
      name: `${source.provider} to ${destination}`,
      sourceId: made.body.id,
      destinationId: await aDestination(destination),
      streams: [STREAM],
      schedule: { kind: 'manual', timeZone: 'UTC' },
      lookbackDays: null,
      historyFrom: daysAgo(HISTORY_DAYS),
    }),
    201,
  );
  return `${path}/connections/${body.id}`;
}

const endedRun = (connection: string) => runs.endedRun(app, organization, connection.split('/').at(-1) ?? '');

async function runAgain(connection: string): Promise<RunDetail> {
  expectStatus(await organization.call.post(`${connection}/run`), 202);
  return endedRun(connection);
}

describe.each(pairs)('$source.provider to $destination', ({ source, destination }) => {
  it('loads the platform’s rows, the same rows in a second run, and ten restated days', async () => {
    const connection = await aConnection(source, destination);
    const expectEqual = async () => {
      const found = await atDestination[destination](source);
      const expected = await atSource(source);
      expect(found).toEqual(found.rows === null ? { ...expected, rows: null } : expected);
      return expected;
    };
    expect(await endedRun(connection)).toMatchObject({ state: 'succeeded', failure: null });
    const first = await expectEqual();
    expect(first.rows).toBeGreaterThan(20);

    expect(await runAgain(connection)).toMatchObject({ state: 'succeeded' });
    await expectEqual();

    const days = { from: daysAgo(10), to: daysAgo(1) };
    await admin('faults', { provider: source.path, fault: 'restate', [source.parameter]: source.accountId, ...days });
    const restated = await atSource(source);
    expect(restated).not.toEqual(first);
    expect(await runAgain(connection)).toMatchObject({ state: 'succeeded' });
    await expectEqual();
  });
});
