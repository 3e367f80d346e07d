import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compareRows, type Difference, type StreamRow } from '../../../drill/compare-rows.js';
import { connectPairs } from '../../../drill/connect-pairs.js';
import {
  BIGQUERY,
  COMPARED,
  daysAgo,
  type DestinationKind,
  keysOf,
  MIXPANEL_PROJECT,
  type Pair,
  RESTATED,
  sources,
} from '../../../drill/pairs.js';
import { differencesOf } from '../../../drill/round.js';
import type { Call } from '../../../drill/scene.js';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { DrillProcess } from '../../drill-process.js';
import { anOrganization, eventually, type Organization } from '../../factories.js';
import { endPauses } from '../../pauses.js';
import type { RunDetail } from '../../../src/sync/api/runs.dto.js';

const row = (date: string, key: string, cost: number): StreamRow => ({
  ...{ date, key, costMicros: String(cost), clicks: cost / 10, impressions: cost },
});
const kindsOf = (differences: Difference[]) => differences.map(({ kind, date, key }) => `${kind} ${date} ${key}`).sort();

describe('the comparison of rows', () => {
  const wanted = [row('2026-11-01', 'a', 100), row('2026-11-01', 'b', 200), row('2026-11-02', 'a', 300)];
  const [first, second, third] = wanted as [StreamRow, StreamRow, StreamRow];

  it.each<[string, StreamRow[], string[]]>([
    ['equal rows in another order', [third, first, second], []],
    ['a lost row', [first, third], ['lost 2026-11-01 b']],
    ['no row at all', [], ['lost 2026-11-01 a', 'lost 2026-11-01 b', 'lost 2026-11-02 a']],
    ['a repeated row', [...wanted, second], ['duplicated 2026-11-01 b']],
    ['a row whose event counts twice', [first, row('2026-11-01', 'b', 400), third], ['duplicated 2026-11-01 b']],
    ['a changed value', [first, { ...second, clicks: 21 }, third], ['changed 2026-11-01 b']],
    ['a row on another day', [first, { ...second, date: '2026-11-03' }, third], ['moved 2026-11-01 b']],
    ['a row that the source does not have', [...wanted, row('2026-11-04', 'c', 1)], ['duplicated 2026-11-04 c']],
    [
      'sums that are equal by accident',
      [row('2026-11-01', 'a', 200), row('2026-11-01', 'b', 100), third],
      ['changed 2026-11-01 b', 'duplicated 2026-11-01 a'],
    ],
  ])('finds %s', (_what, found, differences) => expect(kindsOf(compareRows(wanted, found))).toEqual(differences));
});

describe('at each destination', () => {
  const [google] = sources;
  const STREAM = 'campaign_daily';
  const TABLE = `${google.provider}_${STREAM}`;
  let sandbox: Sandbox;
  let app: TestApp;
  let warehouse: Warehouse;
  let organization: Organization;
  let pairs: Pair[];

  const admin = <Body>(path: string, body?: object): Promise<Body> => sandbox.admin<Body>(path, body);
  const queryWarehouse = (text: string, parameters?: unknown[]) => warehouse.query(text, parameters);
  const pairOf = (kind: DestinationKind) => pairs.find(({ destination }) => destination === kind) as Pair;
  const differencesAt = async (kind: DestinationKind) => kindsOf(await differencesOf({ admin, queryWarehouse }, pairOf(kind)));

  beforeAll(async () => {
    [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
    app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
    organization = await anOrganization(app);
    const call: Call = async <Body>(method: 'GET' | 'POST', path: string, body?: unknown) => {
      const url = `${organization.path}${path}`;
      const answer = method === 'GET' ? await organization.call.get<Body>(url) : await organization.call.post<Body>(url, body);
      return answer.body;
    };
    pairs = await connectPairs({ call, admin, warehouse: warehouse.settings }, [google]);
    expect(await endedRuns()).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });
  afterAll(async () => {
    await app?.stop();
    await Promise.all([sandbox?.stop(), warehouse?.stop()]);
  });
  afterEach(() => sandbox.clearFaults());

  function endedRuns(): Promise<string[]> {
    const newest = async ({ connectionId }: Pair) => {
      const { call, path } = organization;
      const page = await call.get<{ items: RunDetail[] }>(`${path}/runs?connectionId=${connectionId}&limit=1`);
      return page.body.items[0] as RunDetail;
    };
    const look = async () => {
      await endPauses(app.database);
      return Promise.all(pairs.map(newest));
    };
    return eventually(look, (runs) => runs.every(({ endedAt }) => endedAt !== null)).then((runs) =>
      runs.map(({ state }) => state),
    );
  }

  async function runAll(): Promise<string[]> {
    for (const { connectionId } of pairs) await organization.call.post(`${organization.path}/connections/${connectionId}/run`);
    return endedRuns();
  }

  interface Plan {
    lost: StreamRow;
    repeated: StreamRow;
    changed: StreamRow;
    moved: StreamRow;
    movedTo: string;
    expected: string[];
  }

  /** Rows of four days. The key of the moved row has no row on the day to which it is moved. */
  async function planLosses(): Promise<Plan> {
    const query = new URLSearchParams({ [google.parameter]: google.accountId, stream: STREAM, ...COMPARED });
    const { rows } = await admin<{ rows: StreamRow[] }>(`${google.path}/rows?${query}`);
    const days = [...new Set(rows.map(({ date }) => date))];
    const isFree = (key: string, day: string) => !rows.some((one) => one.key === key && one.date === day);
    const [place] = rows.flatMap((one) =>
      days.filter((day) => one.clicks > 1 && isFree(one.key, day)).map((day) => ({ one, day })),
    );
    if (!place) throw new Error('every row has one of the same key on every day');
    const others = days.filter((day) => day !== place.one.date && day !== place.day);
    const rowOf = (day: string | undefined) => rows.find(({ date, clicks }) => date === day && clicks > 1) as StreamRow;
    const [lost, repeated, changed] = [rowOf(others[0]), rowOf(others[1]), rowOf(others[2])];
    const named = { lost, duplicated: repeated, changed, moved: place.one };
    const expected = Object.entries(named).map(([kind, { date, key }]) => `${kind} ${date} ${key}`);
    return { lost, repeated, changed, moved: place.one, movedTo: place.day, expected: expected.sort() };
  }

  /** SQL that both databases understand. */
  async function plantBySql(run: (sql: string) => Promise<unknown>, table: string, text: string): Promise<string[]> {
    const { lost, repeated, changed, moved, movedTo, expected } = await planLosses();
    const at = ({ date, key }: StreamRow) => {
      const [campaign, device, network] = key.split('/');
      return `date = DATE '${date}' AND CAST(campaign_id AS ${text}) = '${campaign}' AND device = '${device}' AND network = '${network}'`;
    };
    await run(`DELETE FROM ${table} WHERE ${at(lost)}`);
    await run(`UPDATE ${table} SET clicks = clicks + 1 WHERE ${at(changed)}`);
    await run(`UPDATE ${table} SET date = DATE '${movedTo}' WHERE ${at(moved)}`);
    await run(`INSERT INTO ${table} SELECT * FROM ${table} WHERE ${at(repeated)}`);
    return expected;
  }

  async function queryBigQuery(query: string): Promise<void> {
    const { accessToken } = await sandbox.signIn('demo@example.com', ['https://www.googleapis.com/auth/bigquery']);
    const answer = await fetch(`${sandbox.url}/bigquery-api/bigquery/v2/projects/${BIGQUERY.projectId}/queries`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, location: 'EU', useLegacySql: false, timeoutMs: 10_000 }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  interface StoredEvent {
    event: string;
    time: number;
    distinctId: string;
    insertId: string;
    properties: Record<string, unknown>;
  }

  /** Mixpanel has no deletion: an event with the same id replaces the earlier one. */
  async function plantAtMixpanel(): Promise<string[]> {
    const { lost, repeated, changed, moved, movedTo, expected } = await planLosses();
    const query = new URLSearchParams({ projectId: MIXPANEL_PROJECT, accountId: google.accountId, raw: 'true', ...COMPARED });
    const { raw } = await admin<{ raw: StoredEvent[] }>(`mixpanel/totals?${query}`);
    const eventOf = ({ date, key }: StreamRow): StoredEvent => {
      const isEvent = ({ time, properties: p }: StoredEvent) =>
        p['stream'] === STREAM &&
        new Date(time).toISOString().startsWith(date) &&
        [p['campaign_id'], p['device'], p['network']].join('/') === key;
      return raw.find(isEvent) as StoredEvent;
    };
    const without = (event: StoredEvent) => withValues(event, { cost: 0, clicks: 0, impressions: 0 });
    const movedTime = eventOf(moved).time + Date.parse(movedTo) - Date.parse(moved.date);
    await importEvents([
      without(eventOf(lost)),
      { ...eventOf(repeated), insertId: 'planted-repeated' },
      withValues(eventOf(changed), { clicks: changed.clicks + 1 }),
      without(eventOf(moved)),
      { ...eventOf(moved), insertId: 'planted-moved', time: movedTime },
    ]);
    return expected;
  }

  const withValues = (event: StoredEvent, values: Record<string, number>): StoredEvent => ({
    ...event,
    properties: { ...event.properties, ...values },
  });

  async function importEvents(events: StoredEvent[]): Promise<void> {
    const body = events.map(({ event, time, distinctId, insertId, properties }) => ({
      event,
      properties: { ...properties, time, distinct_id: distinctId, $insert_id: insertId },
    }));
    const answer = await fetch(`${sandbox.url}/mixpanel/us/import?strict=1&project_id=${MIXPANEL_PROJECT}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa('loader.f5a1c2.mp-service-account:sandbox-loader-secret')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  it('nothing differs after the runs have succeeded', async () => {
    for (const { destination } of pairs) expect([destination, await differencesAt(destination)]).toEqual([destination, []]);
  });

  it('dropped, repeated, changed and moved rows of a PostgreSQL table are counted, with their day', async () => {
    await queryWarehouse(`alter table ${TABLE} drop constraint ${TABLE}_pkey`);
    const planted = await plantBySql((sql) => queryWarehouse(sql), TABLE, 'text');
    expect(await differencesAt('postgresql')).toEqual(planted);
  });

  it('dropped, repeated, changed and moved rows of a BigQuery table are counted, with their day', async () => {
    const planted = await plantBySql(queryBigQuery, `\`${BIGQUERY.projectId}.${BIGQUERY.datasetId}.${TABLE}\``, 'STRING');
    expect(await differencesAt('bigquery')).toEqual(planted);
  });

  it('dropped, repeated, changed and moved events of Mixpanel are counted, with their day', async () => {
    const planted = await plantAtMixpanel();
    expect(await differencesAt('mixpanel')).toEqual(planted);
  });

  it('rows that a destination confirms but does not store never become verified', async () => {
    await admin('faults', { provider: 'bigquery', fault: 'drop_rows', everyNth: 5 });
    await admin('faults', { provider: 'mixpanel', fault: 'drop_events', everyNth: 5 });
    await queryWarehouse(`create sequence loss; create function lose() returns trigger language plpgsql as
      $$ begin if nextval('loss') % 5 = 0 then return null; end if; return new; end $$`);
    for (const [stream] of keysOf(google))
      await queryWarehouse(
        `create trigger lose before insert on ${google.provider}_${stream} for each row execute function lose()`,
      );
    const days = { from: daysAgo(RESTATED.from), to: daysAgo(RESTATED.to) };
    await admin('faults', { provider: google.path, fault: 'restate', [google.parameter]: google.accountId, ...days });
    expect(await runAll()).not.toContain('succeeded');
    for (const { destination } of pairs) expect([destination, await differencesAt(destination)]).not.toEqual([destination, []]);
  });
});

it('a drill in which a loaded row is deleted exits with 1 and names the row and its day', async () => {
  const drill = new DrillProcess();
  try {
    const settings = { ROUND: 'warehouse', FAULTS: '2', PLANT_LOSS: 'true', RECOVERY_SECONDS: '120' };
    const { code, output } = await drill.run({ ...settings, SOURCES: 'google_ads', WORKERS: '1' });
    expect(output).toMatch(/^lost: google_ads to postgresql, campaign_daily, \d{4}-\d\d-\d\d, \d+\/[A-Z]+\/[A-Z_]+$/m);
    expect(output).toMatch(/rows lost +1 +0\n/);
    expect(output).toMatch(/green while different +1 +0\n/);
    expect({ code, output }).toMatchObject({ code: 1 });
  } finally {
    await drill.stop();
  }
});
