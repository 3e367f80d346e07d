import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import {
  aConnectedApp,
  anOrganization,
  daysAgo,
  destinationBody,
  eventually,
  expectStatus,
  type Organization,
} from '../../factories.js';
import { endPauses } from '../../pauses.js';
import type { RunDetail } from '../../../src/sync/api/runs.dto.js';
import * as runs from '../../runs.js';

const HISTORY_DAYS = 12;
/** The test moves the date, and the accounts' days end at different times, so only earlier days are compared. */
const LAST_COMPARED = daysAgo(2);
const BIGQUERY = { projectId: 'northwind-marketing', datasetId: 'storm' };
/** On the Free plan: the Query API returns 402. */
const MIXPANEL_PROJECT = '3100003';
const MOST_RUNS = 5;

interface Sums {
  rows?: number;
  costMicros: string;
  clicks: number;
  impressions: number;
}

const sources = [
  {
    provider: 'google_ads' as const,
    path: 'google-ads',
    parameter: 'customerId',
    accountId: '9001000011',
    user: 'demo@example.com',
    compared: ['campaign_daily', 'ad_group_daily'],
    others: ['search_term_daily', 'geographic_daily'],
  },
  {
    provider: 'meta_ads' as const,
    path: 'meta-ads',
    parameter: 'accountId',
    accountId: '310000000000012',
    user: 'demo@example.com',
    compared: ['campaign_daily', 'ad_set_daily'],
    others: ['ad_country_daily'],
  },
  {
    provider: 'microsoft_ads' as const,
    path: 'microsoft-ads',
    parameter: 'accountId',
    // Time zone of Karachi.
    accountId: '180500016',
    user: 'karachi@example.com',
    compared: ['campaign_daily', 'ad_group_daily'],
    others: [],
  },
];
const destinations = ['postgresql', 'bigquery', 'mixpanel'] as const;
type SourceKind = (typeof sources)[number];
type DestinationKind = (typeof destinations)[number];
interface Pair {
  source: SourceKind;
  destination: DestinationKind;
  connection: string;
}

/** Permanent behavior of the real platforms. None of it loses rows. */
const behaviours: [string, string, object?][] = [
  ['google-ads', 'deadline', { mostDays: 7 }],
  ['meta-ads', 'page_too_large', { mostRows: 60 }],
  ['meta-ads', 'run_unknown', { forMs: 2_000 }],
  ['meta-ads', 'numbers_move', { days: 1, percent: 1 }],
  ['meta-ads', 'breakdown_differs', { percent: 97 }],
  ['microsoft-ads', 'slow_report', { polls: 3 }],
  ['mixpanel', 'omit_distinct_id', { endpoint: 'export' }],
];
/** Transient faults. Each one affects the first matching requests of any connection. */
const passing: [string, string, object?][] = [
  ['google-ads', 'expire_token', { frontDoor: true }],
  ['google-ads', 'throttle', { times: 1 }],
  ['google-ads', 'unavailable', { times: 3 }],
  ['google-ads', 'truncate_rows', { times: 1 }],
  ['google-ads', 'truncate_json', { times: 1 }],
  ['google-ads', 'repeat_page', { times: 1 }],
  ['google-ads', 'drop_connection', { times: 1 }],
  ['meta-ads', 'report_failed', { code: 2, subcode: 1_504_044, times: 1 }],
  ['meta-ads', 'report_skipped', { times: 1 }],
  ['meta-ads', 'lose_pages', { level: 'ad', times: 1 }],
  ['meta-ads', 'truncate', { level: 'adset', rows: 40, times: 1 }],
  ['meta-ads', 'repeat_page', { times: 1 }],
  ['meta-ads', 'server_error', { times: 2 }],
  ['meta-ads', 'time_out', { times: 1 }],
  ['meta-ads', 'throttle', { times: 1 }],
  ['microsoft-ads', 'expire_token'],
  ['microsoft-ads', 'throttle', { times: 1 }],
  ['microsoft-ads', 'concurrent_limit', { times: 1 }],
  ['microsoft-ads', 'report_error', { times: 1 }],
  ['microsoft-ads', 'lost_report', { times: 1 }],
  ['microsoft-ads', 'expired_url', { times: 1 }],
  ['microsoft-ads', 'truncate_zip', { times: 1 }],
  ['microsoft-ads', 'truncate_rows', { times: 1 }],
  ['microsoft-ads', 'repeat_rows', { times: 1 }],
  ['bigquery', 'job_fails', { resource: 'load', times: 1 }],
  ['bigquery', 'job_fails', { resource: 'query', times: 1 }],
  ['bigquery', 'fails_after_applying', { resource: 'query', times: 1 }],
  ['bigquery', 'concurrent_update', { times: 1 }],
  ['bigquery', 'drop_rows', { times: 1 }],
  ['bigquery', 'expire_token', { afterRequests: 5 }],
  // Longer than a run waits for them.
  ['mixpanel', 'delay_events', { seconds: 30, times: 3 }],
  ['mixpanel', 'fail_after_applying', { times: 1 }],
  ['mixpanel', 'drop_events', { everyNth: 9, times: 1 }],
  ['mixpanel', 'repeat_events', { times: 1 }],
  ['mixpanel', 'truncate', { endpoint: 'export', times: 1 }],
  ['mixpanel', 'throttle', { times: 1 }],
];
/** Faults that silently lose rows while they are active. */
const lossy: [string, string, object?][] = [
  ['bigquery', 'drop_rows', { everyNth: 7 }],
  ['mixpanel', 'drop_events', { everyNth: 7 }],
];

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
let pairs: Pair[];

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', WORKER_CONCURRENCY: '9', ...sandboxSettings(sandbox.url) });
  organization = await anOrganization(app);
  await admin('mixpanel/limits', { exportsPerHour: 10_000, queriesPerHour: 10_000 });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const admin = <Body>(path: string, body?: object): Promise<Body> => sandbox.admin<Body>(path, body);

async function turnOn(faults: [string, string, object?][]): Promise<void> {
  for (const [provider, fault, parameters] of faults) await sandbox.addFault({ provider, fault, ...parameters });
}

async function destinationOf(kind: DestinationKind): Promise<string> {
  const bodies = {
    postgresql: () => destinationBody(warehouse),
    mixpanel: () => ({
      provider: kind,
      name: 'Mixpanel',
      settings: { projectId: MIXPANEL_PROJECT, residency: 'US' },
      credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
    }),
    bigquery: async () => ({
      provider: kind,
      name: 'BigQuery',
      settings: { ...BIGQUERY, location: 'EU' },
      credentials: { serviceAccountKey: JSON.stringify(await admin('bigquery/service-account?name=loader')) },
    }),
  };
  const { call, path } = organization;
  return expectStatus(await call.post<{ id: string }>(`${path}/destinations`, await bodies[kind]()), 201).body.id;
}

async function sourceOf({ provider, accountId, user }: SourceKind): Promise<string> {
  const { call, path } = organization;
  const appId = await aConnectedApp(organization, user, provider);
  const body = { appId, name: provider, accountIds: [accountId] };
  return expectStatus(await call.post<{ id: string }>(`${path}/sources`, body), 201).body.id;
}

async function connect(): Promise<Pair[]> {
  const { call, path } = organization;
  const made: Pair[] = [];
  const sourceIds = new Map<SourceKind, string>();
  const destinationIds = new Map<DestinationKind, string>();
  for (const source of sources) sourceIds.set(source, await sourceOf(source));
  for (const destination of destinations) destinationIds.set(destination, await destinationOf(destination));
  await turnOn([...behaviours, ...passing]);
  for (const source of sources)
    for (const destination of destinations) {
      const { body } = expectStatus(
        await call.post<{ id: string }>(`${path}/connections`, {
          name: `${source.provider} to ${destination}`,
          sourceId: sourceIds.get(source),
          destinationId: destinationIds.get(destination),
          streams: destination === 'mixpanel' ? source.compared : [...source.compared, ...source.others],
          schedule: { kind: 'manual', timeZone: 'UTC' },
          // One day more than is restated below: from 19:00 UTC it is the next day in Karachi.
          lookbackDays: 6,
          historyFrom: daysAgo(HISTORY_DAYS),
        }),
        201,
      );
      made.push({ source, destination, connection: `${path}/connections/${body.id}` });
    }
  return made;
}

const newestRun = ({ connection }: Pair) => runs.newestRun(organization, connection.split('/').at(-1) ?? '');

/** Waits for the end of all runs and skips their pauses. */
async function endedRuns(of: Pair[]): Promise<RunDetail[]> {
  return eventually(
    async () => {
      await endPauses(app.database);
      return Promise.all(of.map(newestRun));
    },
    (runs) => runs.every(({ endedAt }) => endedAt !== null),
    150_000,
  );
}

async function atSource({ path, parameter, accountId }: SourceKind, stream: string): Promise<Sums> {
  const query = new URLSearchParams({ [parameter]: accountId, from: daysAgo(HISTORY_DAYS), to: LAST_COMPARED });
  const { streams } = await admin<{ streams: Record<string, Sums> }>(`${path}/totals?${query}`);
  return streams[stream] as Sums;
}

const atDestination: Record<DestinationKind, (source: SourceKind, stream: string) => Promise<Sums>> = {
  async postgresql({ provider, accountId }, stream) {
    const [sums] = await warehouse.query<Sums & Record<string, unknown>>(
      `select count(*)::int as rows, coalesce(sum(cost_micros), 0)::text as "costMicros", coalesce(sum(clicks), 0)::float8 as clicks,
              coalesce(sum(impressions), 0)::float8 as impressions from ${provider}_${stream} where account_id = $1 and date <= $2`,
      [accountId, LAST_COMPARED],
    );
    return sums as Sums;
  },
  bigquery({ provider, accountId }, stream) {
    const days = { from: daysAgo(HISTORY_DAYS), to: LAST_COMPARED };
    return admin(`bigquery/totals?${new URLSearchParams({ ...BIGQUERY, tableId: `${provider}_${stream}`, accountId, ...days })}`);
  },
  async mixpanel({ accountId }, stream) {
    const days = { from: daysAgo(HISTORY_DAYS), to: LAST_COMPARED };
    const query = new URLSearchParams({ projectId: MIXPANEL_PROJECT, accountId, groupBy: 'stream', ...days });
    const { groups } = await admin<{ groups: Record<string, { sums: Record<string, string> }> }>(`mixpanel/totals?${query}`);
    const sums = groups[stream]?.sums ?? {};
    return {
      costMicros: String(Math.round(Number(sums['cost'] ?? 0) * 1e6)),
      clicks: Number(sums['clicks'] ?? 0),
      impressions: Number(sums['impressions'] ?? 0),
    };
  },
};

/** Streams whose rows at the destination differ from the platform. */
async function differences({ source, destination }: Pair): Promise<string[]> {
  const different: string[] = [];
  for (const stream of source.compared) {
    const found = await atDestination[destination](source, stream);
    const { rows, ...expected } = await atSource(source, stream);
    expect(rows).toBeGreaterThan(0);
    const wanted = found.rows === undefined ? expected : { ...expected, rows };
    if (JSON.stringify(Object.entries(found).sort()) !== JSON.stringify(Object.entries(wanted).sort()))
      different.push(`${source.provider} to ${destination}, ${stream}: ${JSON.stringify(found)} for ${JSON.stringify(wanted)}`);
  }
  return different;
}

async function expectHonest(of: Pair[], runs: RunDetail[]): Promise<void> {
  const green = of.filter((_, index) => runs[index]?.state === 'succeeded');
  expect((await Promise.all(green.map(differences))).flat()).toEqual([]);
}

/** Runs all connections without success again; returns those that still have not succeeded. */
async function runUntilGreen(of: Pair[]): Promise<string[]> {
  let left = of;
  let runs = await endedRuns(left);
  for (let count = 1; ; count++) {
    await expectHonest(left, runs);
    const states = left.map(({ source, destination }, index) => {
      const { state, failure } = runs[index] as RunDetail;
      return `${source.provider} to ${destination}: ${state} ${failure?.message ?? ''}`;
    });
    const isLeft = (index: number): boolean => runs[index]?.state !== 'succeeded';
    const leftStates = states.filter((_, index) => isLeft(index));
    left = left.filter((_, index) => isLeft(index));
    if (left.length === 0 || count === MOST_RUNS) return leftStates;
    for (const { connection } of left) expectStatus(await organization.call.post(`${connection}/run`), 202);
    runs = await endedRuns(left);
  }
}

it('all nine pairs succeed with equal totals while all platform faults happen concurrently', async () => {
  pairs = await connect();
  expect(pairs).toHaveLength(9);
  expect(await runUntilGreen(pairs)).toEqual([]);
  const { faults } = await admin<{ faults: { provider: string; fault: string; struckCount: number }[] }>('faults');
  const unused = faults.filter(({ struckCount }) => struckCount === 0).map(({ provider, fault }) => `${provider} ${fault}`);
  expect(unused).toEqual([]);
});

it('no pair succeeds while its destination differs because rows are silently lost; afterwards all are equal', async () => {
  await turnOn(lossy);
  await warehouse.query(`create sequence loss; create function lose() returns trigger language plpgsql as
    $$ begin if nextval('loss') % 7 = 0 then return null; end if; return new; end $$`);
  for (const { provider, compared } of sources)
    for (const stream of compared)
      await warehouse.query(`create trigger lose before insert on ${provider}_${stream} for each row execute function lose()`);
  for (const { path, parameter, accountId } of sources)
    await admin('faults', { provider: path, fault: 'restate', [parameter]: accountId, from: daysAgo(5), to: daysAgo(3) });
  for (const { connection } of pairs) expectStatus(await organization.call.post(`${connection}/run`), 202);
  const runs = await endedRuns(pairs);
  await expectHonest(pairs, runs);
  expect(new Set(runs.map(({ state }) => state))).not.toEqual(new Set(['succeeded']));

  await sandbox.clearFaults();
  await warehouse.query('drop function lose() cascade');
  for (const { connection } of pairs) expectStatus(await organization.call.post(`${connection}/run`), 202);
  expect(await runUntilGreen(pairs)).toEqual([]);
  expect((await Promise.all(pairs.map(differences))).flat()).toEqual([]);
});
