import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo, expectStatus } from '../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import type { Completeness } from '../../src/connections/coverage/coverage.dto.js';
import type { RunDetail } from '../../src/sync/api/runs.dto.js';

/** Much longer than the lookback window of three days: older days are read again only if they count as missing. */
const HISTORY_DAYS = 40;
const STREAM = 'campaign_daily';
const TABLE = `google_ads_${STREAM}`;
const PROJECT = 'northwind-marketing';
const [LONDON, OTHER = ''] = googleAds.accounts;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let token: string;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  token = (await sandbox.signIn('demo@example.com', ['https://www.googleapis.com/auth/bigquery'])).accessToken;
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await sandbox.clearFaults();
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
});

const datasetId = () => `ads_${scenario.organization.id.slice(-8)}`;
const wish = (accountIds = [LONDON]) => ({ historyDays: HISTORY_DAYS, streams: [STREAM], accountIds });
const messagesOf = ({ log }: RunDetail) => log.map(({ message }) => message);
const sentence = (column: string) =>
  `The column ${column} of ${datasetId()}.${TABLE} was dropped, renamed or replaced. It is filled again: all days of ${STREAM} are loaded again.`;

const admin = <Body>(path: string): Promise<Body> => sandbox.admin<Body>(path);

/** Changes the table like the owner of the dataset in the console. */
async function alter(change: string): Promise<void> {
  const answer = await fetch(`${sandbox.url}/bigquery-api/bigquery/v2/projects/${PROJECT}/queries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `ALTER TABLE ${datasetId()}.${TABLE} ${change}`, useLegacySql: false, location: 'EU' }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function aDestination(): Promise<string> {
  const { call, path } = scenario.organization;
  const body = {
    provider: 'bigquery',
    name: 'BigQuery',
    settings: { projectId: PROJECT, datasetId: datasetId(), location: 'EU' },
    credentials: { serviceAccountKey: JSON.stringify(await admin('bigquery/service-account?name=loader')) },
  };
  return expectStatus(await call.post<{ id: string }>(`${path}/destinations`, body), 201).body.id;
}

async function loaded(path: string): Promise<string> {
  expect(await scenario.endedRun(path)).toMatchObject({ state: 'succeeded', failure: null });
  return path;
}

async function nullsIn(column: string): Promise<number> {
  const place = new URLSearchParams({ projectId: PROJECT, datasetId: datasetId(), tableId: TABLE, limit: '100000' });
  const { rows } = await admin<{ rows: Record<string, unknown>[] }>(`bigquery/rows?${place}`);
  return rows.filter((row) => row[column] === null).length;
}

async function expectWhole(connection: string, run: RunDetail, column: string): Promise<void> {
  expect(run).toMatchObject({ state: 'succeeded', failure: null, window: { from: daysAgo(HISTORY_DAYS) } });
  expect(messagesOf(run)).toContain(sentence(column));
  expect(await nullsIn(column)).toBe(0);
  const place = { projectId: PROJECT, datasetId: datasetId(), tableId: TABLE };
  const query = new URLSearchParams({ ...place, accountId: LONDON, from: daysAgo(200), to: daysAgo(-1) });
  expect(await admin(`bigquery/totals?${query}`)).toEqual(await scenario.atSource(LONDON, STREAM, HISTORY_DAYS));
  const { body } = await scenario.organization.call.get<Completeness>(`${connection}/completeness`);
  expect(body).toMatchObject({ isComplete: true, missing: 0, expected: HISTORY_DAYS + 1 });
}

it.each([
  ['renamed', 'campaign_name', ['RENAME COLUMN campaign_name TO old_name']],
  ['dropped', 'conversions', ['DROP COLUMN conversions']],
  ['dropped and added again by another user', 'clicks', ['DROP COLUMN clicks', 'ADD COLUMN clicks INT64']],
  [
    'exchanged with another column',
    'conversions',
    [
      'RENAME COLUMN conversions TO kept',
      'RENAME COLUMN all_conversions TO conversions',
      'RENAME COLUMN kept TO all_conversions',
    ],
  ],
])(
  'reports a column of a BigQuery table that was %s and fills it again for all history in the same run',
  async (what, column, changes) => {
    const connection = await loaded(await scenario.connectTo(await aDestination(), wish()));
    for (const change of changes) await alter(change);
    const run = await scenario.runAgain(connection);
    if (what.startsWith('exchanged')) expect(messagesOf(run).join()).toContain('The columns conversions, all_conversions of');
    else await expectWhole(connection, run, column);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(3) } });
  },
);

it('every connection that writes the table fills a lost column again', async () => {
  const destination = await aDestination();
  const first = await loaded(await scenario.connectTo(destination, wish()));
  const second = await loaded(await scenario.connectTo(destination, wish([OTHER])));
  await alter('DROP COLUMN campaign_name');
  await scenario.runAgain(first);
  expect(await nullsIn('campaign_name')).toBeGreaterThan(0);
  expect(messagesOf(await scenario.runAgain(second))).toContain(sentence('campaign_name'));
  expect(await nullsIn('campaign_name')).toBe(0);
});

it('a column name that BigQuery still reserves fails the run with its name, and is filled once it is available', async () => {
  const connection = await loaded(await scenario.connectTo(await aDestination(), wish()));
  await alter('DROP COLUMN campaign_name');
  await sandbox.addFault({ provider: 'bigquery', fault: 'column_name_reserved' });
  const refused = await scenario.runAgain(connection);
  expect(refused).toMatchObject({
    state: 'failed',
    failure: {
      class: 'schema',
      code: 'bigquery.column_refused',
      message: expect.stringContaining(
        `BigQuery could not add "campaign_name" to "${datasetId()}.${TABLE}": "Column \`campaign_name\` was`,
      ),
      action: 'Delete the table in BigQuery. The next run recreates it and loads all days',
    },
  });
  await sandbox.clearFaults();
  await expectWhole(connection, await scenario.runAgain(connection), 'campaign_name');
});

it('an upgrade loads nothing again if nothing has changed', async () => {
  const connection = await loaded(await scenario.connectTo(await aDestination(), wish()));
  await app.database.query('update stream_targets set columns = null where organization_id = $1', [scenario.organization.id]);
  expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(3) } });
  await alter('DROP COLUMN campaign_name');
  await expectWhole(connection, await scenario.runAgain(connection), 'campaign_name');
});
