import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertsOf } from '../alerts.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo, expectStatus } from '../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import type { ConnectionSchema, SchemaChangeEntry, SchemaChangePage } from '../../src/connections/schema/schema.dto.js';
import type { RunDetail } from '../../src/sync/api/runs.dto.js';

const POLICIES = ['propagate_all', 'propagate_columns', 'approve', 'pause'] as const;
/** Longer than the lookback window of three days. */
const HISTORY_DAYS = 12;
const STREAM = 'campaign_daily';
const NEW_STREAM = 'ad_group_daily';
const COLUMN = 'all_conversions';
const TABLE = `google_ads_${STREAM}`;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let connection: string;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await warehouse.query(`drop table if exists ${TABLE}, google_ads_${NEW_STREAM}`);
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: [STREAM] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
});

const entry = async () => (await scenario.organization.call.get<ConnectionEntry>(connection)).body;
const changes = async (): Promise<SchemaChangeEntry[]> =>
  expectStatus(await scenario.organization.call.get<SchemaChangePage>(`${connection}/schema-changes`), 200).body.items;
const decide = (id: string, decision: 'approve' | 'ignore') =>
  scenario.organization.call.post<SchemaChangeEntry>(`${connection}/schema-changes/${id}/${decision}`);
const fieldsOf = async (stream = STREAM) => {
  const { body } = await scenario.organization.call.get<ConnectionSchema>(`${connection}/schema`);
  return body.streams.find(({ name }) => name === stream)?.fields ?? [];
};
const isSelected = async (column = COLUMN) => (await fieldsOf()).find(({ name }) => name === column)?.isSelected;

async function setPolicy(schemaPolicy: (typeof POLICIES)[number]): Promise<void> {
  const { version } = await entry();
  expectStatus(await scenario.organization.call.patch(connection, { schemaPolicy, version }), 200);
}

/** The state before a release that added these: the source did not offer them, and nothing was written. */
async function forgetColumn(column = COLUMN): Promise<void> {
  await warehouse.query(`alter table ${TABLE} drop column ${column}`);
  await forget(`offered_schemas set streams = streams #- '{${STREAM},${column}}'`);
  await forget(`stream_targets set columns = columns - '${column}'`);
}
const forgetStream = () => forget(`offered_schemas set streams = streams - '${NEW_STREAM}'`);
const forget = (change: string) => app.database.query(`update ${change} where organization_id = $1`, [scenario.organization.id]);

const columnsOf = async (table = TABLE): Promise<string[]> =>
  (await warehouse.query<{ name: string }>(`select column_name as name from information_schema.columns where table_name = $1`, [table]))
    .map(({ name }) => name); // prettier-ignore
const nullsIn = async (column: string): Promise<number> =>
  (await warehouse.query<{ rows: number }>(`select count(*)::int as rows from ${TABLE} where ${column} is null`))[0]?.rows ?? -1;

const runAfter = (before: RunDetail): Promise<RunDetail> => scenario.endedRun(connection, before.id);

describe.each(POLICIES)('with the policy %s, a column whose type was changed in the table', (policy) => {
  it('fails every run with a clear error, is stored once, and cannot be approved or ignored', async () => {
    await setPolicy(policy);
    await warehouse.query(`alter table ${TABLE} alter column conversions type integer using conversions::integer`);
    for (const attempt of [1, 2, 3]) {
      const run = await scenario.runAgain(connection);
      expect({ attempt, ...run }).toMatchObject({
        state: 'failed',
        failure: { class: 'schema', code: 'postgresql.table_changed' },
      });
      expect(run.failure?.message).toContain('its column "conversions" is integer, expected double precision');
    }
    const [change, ...others] = await changes();
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      kind: 'table_changed',
      state: 'pending',
      isBreaking: true,
      actions: [],
      columns: [{ column: 'conversions', before: 'double precision', after: 'integer' }],
    });
    for (const decision of ['approve', 'ignore'] as const)
      expect(await decide(change?.id ?? '', decision)).toMatchObject({
        status: 409,
        body: { code: 'schema_change.not_decidable' },
      });
    expect(await isSelected('conversions')).toBe(true);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed' });
  });

  it('loads its history again once its type is restored, and the change is reverted', async () => {
    await setPolicy(policy);
    await warehouse.query(`alter table ${TABLE} alter column conversions type integer using conversions::integer`);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed' });
    await warehouse.query(`alter table ${TABLE} alter column conversions type double precision`);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(HISTORY_DAYS) } });
    expect(await changes()).toMatchObject([{ kind: 'table_changed', state: 'reverted' }]);
    const [{ whole } = {}] = await warehouse.query<{ whole: boolean }>(
      `select bool_and(conversions = trunc(conversions)) as whole from ${TABLE}`,
    );
    expect(whole).toBe(false);
  });
});

describe.each(['propagate_all', 'propagate_columns'] as const)('with the policy %s', (policy) => {
  it('a new column is added and filled for all history', async () => {
    await setPolicy(policy);
    await forgetColumn();
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(HISTORY_DAYS) } });
    expect(await nullsIn(COLUMN)).toBe(0);
    expect(await changes()).toMatchObject([
      {
        kind: 'columns_added',
        state: 'applied',
        isBreaking: false,
        actions: [],
        decidedBy: null,
        targetTable: TABLE,
        columns: [{ column: COLUMN, before: null, after: 'double' }],
      },
    ]);
    await scenario.runAgain(connection);
    expect(await changes()).toHaveLength(1);
  });
});

describe('a new stream', () => {
  it('is loaded automatically with the policy propagate_all', async () => {
    await setPolicy('propagate_all');
    await forgetStream();
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    expect(await changes()).toMatchObject([{ kind: 'stream_added', stream: NEW_STREAM, state: 'applied' }]);
    expect(await columnsOf(`google_ads_${NEW_STREAM}`)).toContain('ad_group_id');
  });

  it.each(['propagate_columns', 'approve'] as const)(
    'waits with the policy %s, and is loaded once it is approved',
    async (policy) => {
      await setPolicy(policy);
      await forgetStream();
      const run = await scenario.runAgain(connection);
      expect(run).toMatchObject({ state: 'succeeded' });
      expect(await columnsOf(`google_ads_${NEW_STREAM}`)).toEqual([]);
      const [change] = await changes();
      expect(change).toMatchObject({ kind: 'stream_added', state: 'pending', actions: ['approve', 'ignore'] });
      expect((await entry()).pendingSchemaChanges).toBe(1);
      expectStatus(await decide(change?.id ?? '', 'approve'), 200);
      expect(await runAfter(run)).toMatchObject({ state: 'succeeded' });
      expect(await columnsOf(`google_ads_${NEW_STREAM}`)).toContain('ad_group_id');
    },
  );

  it('that a user selects in the settings needs no decision any more', async () => {
    await forgetStream();
    await scenario.runAgain(connection);
    const { version } = await entry();
    expectStatus(await scenario.organization.call.patch(connection, { streams: [STREAM, NEW_STREAM], version }), 200);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    expect(await changes()).toMatchObject([{ state: 'applied', decidedBy: null }]);
  });
});

describe('with the policy approve, a new column', () => {
  beforeEach(async () => {
    await setPolicy('approve');
    await forgetColumn();
  });

  it('is not written until it is approved, and is then filled for all history', async () => {
    const run = await scenario.runAgain(connection);
    expect(run).toMatchObject({ state: 'succeeded', window: { from: daysAgo(3) } });
    expect(await columnsOf()).not.toContain(COLUMN);
    const [change] = await changes();
    expect(change).toMatchObject({ kind: 'columns_added', state: 'pending', runId: run.id });
    expect(await isSelected()).toBe(false);
    const answer = expectStatus(await decide(change?.id ?? '', 'approve'), 200).body;
    expect(answer).toMatchObject({ state: 'approved', actions: [], decidedBy: expect.any(String) as string });
    expect(await runAfter(run)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(HISTORY_DAYS) } });
    expect(await nullsIn(COLUMN)).toBe(0);
    expect(await decide(change?.id ?? '', 'ignore')).toMatchObject({ status: 409, body: { code: 'schema_change.decided' } });
  });

  it('that is ignored stays excluded, also with another policy, and can be included in the settings', async () => {
    await scenario.runAgain(connection);
    const [change] = await changes();
    expectStatus(await decide(change?.id ?? '', 'ignore'), 200);
    await setPolicy('propagate_columns');
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    expect(await columnsOf()).not.toContain(COLUMN);
    expect(await changes()).toMatchObject([{ state: 'ignored' }]);
    const run = await scenario.newestRun(connection);
    const { version } = await entry();
    expectStatus(await scenario.organization.call.patch(connection, { leftOut: [], version }), 200);
    expect(await runAfter(run)).toMatchObject({ state: 'succeeded' });
    expect(await nullsIn(COLUMN)).toBe(0);
  });

  it('that was pending is added once the policy is propagate_columns', async () => {
    await scenario.runAgain(connection);
    await setPolicy('propagate_columns');
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(HISTORY_DAYS) } });
    expect(await nullsIn(COLUMN)).toBe(0);
    expect(await changes()).toMatchObject([{ state: 'applied' }]);
  });

  it('does not hide that a column in use has another type', async () => {
    await warehouse.query(`alter table ${TABLE} alter column conversions type integer using conversions::integer`);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed' });
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed' });
    expect((await changes()).map(({ kind }) => kind).toSorted()).toEqual(['columns_added', 'table_changed']);
  });
});

describe('with the policy pause, a new column', () => {
  const alerts = async () => (await alertsOf(scenario.organization)).items.map(({ kind, recoveredAt }) => [kind, recoveredAt !== null]); // prettier-ignore

  it('pauses the connection without loading, and the last decision resumes it', async () => {
    await setPolicy('pause');
    await forgetColumn();
    await forgetStream();
    const run = await scenario.runAgain(connection);
    expect(run).toMatchObject({ state: 'skipped', failure: { code: 'sync.schema_changed' } });
    expect(await entry()).toMatchObject({
      desired: 'paused',
      healthReason: 'Schema changes wait for a decision',
      pendingSchemaChanges: 2,
    });
    expect(await alerts()).toEqual([['connection.paused', false]]);
    const [first, second] = await changes();
    expectStatus(await decide(first?.id ?? '', 'approve'), 200);
    expect(await entry()).toMatchObject({ desired: 'paused' });
    expectStatus(await decide(second?.id ?? '', 'ignore'), 200);
    expect(await entry()).toMatchObject({ desired: 'active' });
    expect(await alerts()).toEqual([['connection.paused', true]]);
    expect(await runAfter(run)).toMatchObject({ state: 'succeeded' });
  });

  it('alerts also if a reload of selected days finds it', async () => {
    await setPolicy('pause');
    await forgetColumn();
    const run = await scenario.newestRun(connection);
    const days = { streams: [STREAM], from: daysAgo(2), to: daysAgo(1) };
    expectStatus(await scenario.organization.call.post(`${connection}/reload`, days), 202);
    expect(await runAfter(run)).toMatchObject({ state: 'skipped', failure: { code: 'sync.schema_changed' } });
    expect(await entry()).toMatchObject({ desired: 'paused' });
    expect(await alerts()).toEqual([['connection.paused', false]]);
  });

  it('pauses it again if a user resumes it without a decision', async () => {
    await setPolicy('pause');
    await forgetColumn();
    const run = await scenario.runAgain(connection);
    expectStatus(await scenario.organization.call.post(`${connection}/resume`), 200);
    expect(await runAfter(run)).toMatchObject({ state: 'skipped' });
    expect(await changes()).toHaveLength(1);
  });
});

describe('a stream that the source no longer offers', () => {
  beforeEach(async () => {
    await forget(`offered_schemas set streams = streams || '{"retired_daily":{"date":"date"}}'`);
    await forget(`connections set streams = streams || '{retired_daily}'`);
  });

  it('fails every run until the change is approved, which unselects it', async () => {
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed', failure: { code: 'sync.stream_gone' } });
    const run = await scenario.runAgain(connection);
    expect(run).toMatchObject({ state: 'failed', failure: { code: 'sync.stream_gone' } });
    const [change, ...others] = await changes();
    expect(others).toEqual([]);
    expect(change).toMatchObject({ kind: 'stream_removed', isBreaking: true, state: 'pending', actions: ['approve'] });
    expect(await decide(change?.id ?? '', 'ignore')).toMatchObject({
      status: 409,
      body: { code: 'schema_change.not_decidable' },
    });
    expectStatus(await decide(change?.id ?? '', 'approve'), 200);
    expect(await runAfter(run)).toMatchObject({ state: 'succeeded' });
  });
});

describe('columns that the source removed or changed', () => {
  it('are stored as breaking, without a decision unless the policy is pause', async () => {
    await forget(
      `offered_schemas set streams = jsonb_set(streams || '{}', '{${STREAM}}', streams->'${STREAM}' || '{"retired":"text","clicks":"text"}')`,
    );
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    expect(await changes()).toMatchObject([
      {
        kind: 'types_changed',
        state: 'applied',
        isBreaking: true,
        columns: [{ column: 'clicks', before: 'text', after: 'bigint' }],
      },
      {
        kind: 'columns_removed',
        state: 'applied',
        isBreaking: true,
        columns: [{ column: 'retired', before: 'text', after: null }],
      },
    ]);
  });
});

describe('a dropped column of the table', () => {
  it('is stored as a change that the run repaired', async () => {
    await warehouse.query(`alter table ${TABLE} drop column campaign_name`);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    expect(await changes()).toMatchObject([
      { kind: 'table_columns_lost', state: 'applied', columns: [{ column: 'campaign_name' }] },
    ]);
  });
});

describe('the schema of a connection', () => {
  it('lists streams with their fields, types and tables', async () => {
    const { body } = await scenario.organization.call.get<ConnectionSchema>(`${connection}/schema`);
    const stream = body.streams.find(({ name }) => name === STREAM);
    expect(stream).toMatchObject({ isSelected: true, targetTable: TABLE });
    expect(stream?.fields.find(({ name }) => name === 'clicks')).toMatchObject({
      type: 'bigint',
      need: 'proof',
      isSelected: true,
    });
    expect(body.streams.find(({ name }) => name === NEW_STREAM)).toMatchObject({ isSelected: false });
  });
});
