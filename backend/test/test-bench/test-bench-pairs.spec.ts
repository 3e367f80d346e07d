import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectionTest } from '../../src/connections/test-bench/test-bench.dto.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type RecordingProxy, startRecordingProxy } from '../connectors/recording-proxy.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import {
  aConnectedApp,
  anOrganization,
  daysAgo,
  destinationBody,
  eventually,
  expectStatus,
  type Organization,
} from '../factories.js';
import type { LoggedRequest } from '../platforms.js';
import { Workers } from '../workers.js';
import { startStatementRecorder, type StatementRecorder } from './statement-recorder.js';

const STREAM = 'ad_performance_daily';
const BIGQUERY_PROJECT = 'northwind-marketing';
const MIXPANEL_PROJECT = '3100001';

const sources = [
  { provider: 'google_ads', accountIds: ['9001000011', '9001000013', '9001000020'] },
  { provider: 'meta_ads', accountIds: ['310000000000011', '310000000000012', '310000000000020'] },
  { provider: 'microsoft_ads', accountIds: ['180500011', '180500012', '180500020'] },
] as const;
const destinations = ['postgresql', 'bigquery', 'mixpanel'] as const;
type DestinationKind = (typeof destinations)[number];

interface Pair {
  provider: (typeof sources)[number]['provider'];
  destination: DestinationKind;
  accountId: string;
}

/** Each pair has an account of its own, so that pairs with the same event or table do not share rows. */
const pairs: Pair[] = sources.flatMap(({ provider, accountIds }) =>
  destinations.map((destination, index) => ({ provider, destination, accountId: accountIds[index] as string })),
);

let sandbox: Sandbox;
let proxy: RecordingProxy;
let warehouse: Warehouse;
let recorder: StatementRecorder;
let app: TestApp;
let organization: Organization;
let settings: Record<string, string>;
const workers = new Workers();
const connections = new Map<Pair, string>();
const previews = new Map<Pair, ConnectionTest>();
const day = daysAgo(2);

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  [proxy, recorder] = await Promise.all([startRecordingProxy(sandbox.url), startStatementRecorder(warehouse.settings)]);
  settings = { ...sandboxSettings(sandbox.url), BIGQUERY_BASE_URL: `${proxy.url}/bigquery-api` };
  app = await startTestApp(settings);
  organization = await anOrganization(app);
  await sandbox.admin('mixpanel/limits', { exportsPerHour: 10_000, queriesPerHour: 10_000 });
});
afterAll(async () => {
  await workers.killAll();
  await app?.stop();
  await recorder?.stop();
  await proxy?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

async function bodyOf(kind: DestinationKind): Promise<Record<string, unknown>> {
  if (kind === 'postgresql') {
    const body = destinationBody(warehouse);
    return { ...body, settings: { ...(body['settings'] as object), port: recorder.port, sslMode: 'disable' } };
  }
  if (kind === 'mixpanel')
    return {
      provider: kind,
      name: 'Mixpanel',
      settings: { projectId: MIXPANEL_PROJECT, residency: 'US' },
      credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
    };
  const key = await sandbox.admin<object>('bigquery/service-account?name=loader');
  return {
    provider: kind,
    name: 'BigQuery',
    settings: { projectId: BIGQUERY_PROJECT, datasetId: 'bench', location: 'EU' },
    credentials: { serviceAccountKey: JSON.stringify(key) },
  };
}

async function aConnection({ provider, destination, accountId }: Pair): Promise<string> {
  const { call, path } = organization;
  const created = async (kind: string, body: object) =>
    expectStatus(await call.post<{ id: string }>(`${path}/${kind}`, body), 201).body.id;
  const appId = await aConnectedApp(organization, 'demo@example.com', provider);
  const connectionId = await created('connections', {
    name: `${provider} to ${destination}`,
    sourceId: await created('sources', { appId, name: provider, accountIds: [accountId] }),
    destinationId: await created('destinations', await bodyOf(destination)),
    streams: [STREAM],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    lookbackDays: 1,
    historyFrom: day,
  });
  return `${path}/connections/${connectionId}`;
}

async function test(pair: Pair): Promise<ConnectionTest> {
  const body = { stream: STREAM, accountId: pair.accountId, day };
  return expectStatus(await organization.call.post<ConnectionTest>(`${connections.get(pair)}/test-bench`, body), 200).body;
}

/** Everything that a destination contains. A row that is deleted and inserted again has another ctid and xmin. */
const contentOf: Record<DestinationKind, () => Promise<unknown>> = {
  async postgresql() {
    const catalog = await warehouse.query(
      `select n.nspname, c.oid, c.relname, c.relkind, c.relfilenode, obj_description(c.oid) as comment,
              (select json_agg(json_build_array(a.attname, a.atttypid, col_description(c.oid, a.attnum)) order by a.attnum)
                 from pg_attribute a where a.attrelid = c.oid) as columns
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%' order by c.oid`,
    );
    const schemas = await warehouse.query('select oid, nspname from pg_namespace order by oid');
    const tables = catalog.filter(({ relkind }) => relkind === 'r').map(({ nspname, relname }) => `"${nspname}"."${relname}"`);
    const rows: unknown[] = [];
    for (const table of tables) rows.push(await warehouse.query(`select ctid, xmin, t.* from ${table} t order by ctid`));
    return { catalog, schemas, rows };
  },
  bigquery: () => changesAt('bigquery-api'),
  async mixpanel() {
    const range = { projectId: MIXPANEL_PROJECT, from: daysAgo(40), to: daysAgo(-1), raw: 'true' };
    return { events: await sandbox.admin(`mixpanel/totals?${new URLSearchParams(range)}`), imports: await changesAt('mixpanel') };
  },
};

/** Requests that can change something: everything but reads and sign-ins. */
async function changesAt(provider: string): Promise<LoggedRequest[]> {
  const { requests } = await sandbox.admin<{ requests: LoggedRequest[] }>(`requests?provider=${provider}&limit=2000`);
  return requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/token'));
}

const ownTables = [
  'runs',
  'run_slices',
  'run_log_entries',
  'coverage',
  'delivery_ledger',
  'stream_targets',
  'destination_audits',
];

async function ownContent(): Promise<unknown> {
  const tables = ownTables.map((table) => `(select coalesce(json_agg(t order by t::text), '[]') from ${table} t) as ${table}`);
  return app.database.query(`select ${tables.join(', ')}`);
}

/** The run loads other days than the test, and has ids and times of its own. */
const normal = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, '<day>')
    .replaceAll(/(tributary_[a-z]+)_[0-9a-f]{32}_\d+/g, '$1_<slice>')
    .replaceAll(/"(expirationTime|requestId)":"[^"]*"/g, '"$1":"<own>"')
    .replaceAll(/"value":"[^"]*"/g, '"value":"<own>"')
    .replaceAll(/\) = \d+, TRUE/g, ') = <rows>, TRUE');

const compact = (json: string): string => JSON.stringify(JSON.parse(json));

describe('the test bench of a connection that has not run yet', () => {
  it.each(pairs)('tests $provider to $destination and writes nothing', async (pair) => {
    connections.set(pair, await aConnection(pair));
    const before = { there: await contentOf[pair.destination](), here: await ownContent() };
    const result = await test(pair);
    previews.set(pair, result);
    expect({ there: await contentOf[pair.destination](), here: await ownContent() }).toEqual(before);

    const items = [...result.sourceItems, ...result.destinationItems];
    expect(items.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(result.sample?.rows.length).toBeGreaterThan(0);
    expect(result.sample?.rows[0]).toHaveLength(result.sample?.columns.length ?? 0);
    expect(result.requests.length).toBeGreaterThan(0);
    expect(result.requests.every(({ status }) => status === 200)).toBe(true);
    expect(JSON.stringify(result.requests)).not.toMatch(
      /access_token|refresh_token|client_secret|appsecret_proof|Bearer|DeveloperToken/i,
    );
    expect(result.write?.steps.length).toBeGreaterThan(0);
  });
});

describe('the run after the test', () => {
  beforeAll(async () => {
    recorder.statements.length = 0;
    proxy.requests.length = 0;
    workers.start(app, settings);
    const states = async () => (await app.database.query<{ state: string }>('select state from runs')).map(({ state }) => state);
    const found = await eventually(states, (all) => all.every((state) => ['succeeded', 'failed', 'partial'].includes(state)));
    expect(found).toEqual(pairs.map(() => 'succeeded'));
  });

  it.each(pairs.filter(({ destination }) => destination === 'postgresql'))(
    'executes the previewed statements of $provider to $destination',
    (pair) => {
      const executed = new Set(recorder.statements.map(normal));
      const steps = previews.get(pair)?.write?.steps ?? [];
      const loads = steps.filter(({ text }) => !/^\s*(CREATE|COMMENT|INSERT INTO "public"\._tributary_tables)/.test(text));
      // The table is shared by the platforms, so the first run creates it for all.
      const expected = pair === pairs[0] ? steps : loads;
      expect(expected.map(({ text }) => normal(text)).filter((text) => !executed.has(text))).toEqual([]);
      expect(loads.some(({ text }) => text.startsWith('COPY'))).toBe(true);
    },
  );

  it('executes no other writing statement than those previewed', () => {
    const writing = /^\s*(CREATE|ALTER|COMMENT|INSERT|UPDATE|DELETE|COPY|DROP|TRUNCATE)/;
    const previewed = new Set(pairs.flatMap((pair) => previews.get(pair)?.write?.steps ?? []).map(({ text }) => normal(text)));
    const others = recorder.statements.map(normal).filter((text) => writing.test(text) && !previewed.has(text));
    // Housekeeping once a day, which does not belong to a slice.
    expect(others.filter((text) => !text.startsWith('DELETE FROM "public"._tributary_runs'))).toEqual([]);
  });

  it.each(pairs.filter(({ destination }) => destination === 'bigquery'))(
    'sends the previewed requests of $provider to $destination',
    (pair) => {
      const sent = new Set(proxy.requests.map(({ method, body }) => normal(`${method} ${JSON.stringify(body)}`)));
      const steps = (previews.get(pair)?.write?.steps ?? []).filter(({ text }) => !/^DELETE|uploadType/.test(text));
      const isShared = (text: string) => /\/(datasets|tables)$/.test(text) && !text.includes('_tributary_load');
      const expected =
        pair.provider === 'google_ads'
          ? steps
          : steps.filter(({ text, body }) => !isShared(text) || body?.includes('_tributary_load'));
      const texts = expected.map(({ text, body }) => normal(`${text.split(' ')[0]} ${compact(body ?? 'null')}`));
      expect(texts.filter((text) => !sent.has(text))).toEqual([]);
      expect(texts.length).toBeGreaterThan(3);
    },
  );

  it.each(pairs.filter(({ destination }) => destination === 'mixpanel'))(
    'sends the previewed events of $provider to $destination, after which nothing differs',
    async (pair) => {
      const range = { projectId: MIXPANEL_PROJECT, accountId: pair.accountId, from: day, to: day, raw: 'true' };
      const { raw } = await sandbox.admin<{ raw: { insertId: string; time: number; properties: Record<string, unknown> }[] }>(
        `mixpanel/totals?${new URLSearchParams(range)}`,
      );
      const received = new Map(raw.map(({ insertId, time, properties }) => [insertId, { ...properties, time }]));
      const events = (previews.get(pair)?.write?.steps ?? []).filter(({ kind }) => kind === 'event');
      expect(events.length).toBeGreaterThan(0);
      for (const { text } of events) {
        const { properties } = JSON.parse(text) as { properties: Record<string, unknown> };
        const { ip: _ip, distinct_id: _distinctId, $insert_id: insertId, ...own } = properties;
        expect(received.get(String(insertId))).toMatchObject(own);
      }
      expect((await test(pair)).write).toMatchObject({ steps: [], omittedSteps: 0 });
    },
  );

  it.each(pairs)('changes nothing of the loaded rows when $provider to $destination is tested again', async (pair) => {
    const before = { there: await contentOf[pair.destination](), here: await ownContent() };
    const { write } = await test(pair);
    expect({ there: await contentOf[pair.destination](), here: await ownContent() }).toEqual(before);
    if (pair.destination === 'postgresql') {
      expect(write?.steps.some(({ text }) => text.startsWith('CREATE TABLE'))).toBe(false);
      expect(write?.steps.some(({ text }) => text.startsWith('DELETE FROM'))).toBe(true);
    }
  });
});
