import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo, expectStatus } from '../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';

const [ACCOUNT] = googleAds.accounts;
/** Later than today in every time zone. */
const NOT_BEFORE = -2;

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
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
});

const idOf = (connection: string) => connection.split('/').at(-1);
const connectionOf = async (path: string) => (await scenario.organization.call.get<ConnectionEntry>(path)).body;

it('skips the run if history has not begun in the accounts’ time zones, with a message, and loads it later', async () => {
  const connection = await scenario.connect({ historyDays: 3, streams: ['campaign_daily'] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  // The API accepts today in UTC, which is tomorrow in western time zones. The value here is always later.
  await app.database.query(`update connections set history_from = $2 where id = $1`, [idOf(connection), daysAgo(NOT_BEFORE)]);
  expect(await scenario.runAgain(connection)).toMatchObject({
    state: 'skipped',
    slices: [],
    verify: null,
    failure: {
      code: 'sync.nothing_yet',
      message: `History begins on ${daysAgo(NOT_BEFORE)}. There is no data to load yet.`,
      action: 'Wait for that day, or choose an earlier one',
    },
  });
  const put = await connectionOf(connection);
  expect(put).toMatchObject({ lastRun: { state: 'succeeded' }, completeThrough: null });
  expectStatus(await scenario.organization.call.patch(connection, { version: put.version, historyFrom: daysAgo(5) }), 200);
  expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', failure: null });
  await scenario.expectEqualSums([ACCOUNT], 5, ['campaign_daily']);
});

it('a connection with only skipped runs is not healthy', async () => {
  const connection = await scenario.connect({ historyDays: 3, streams: ['campaign_daily'] });
  await scenario.endedRun(connection);
  await app.database.query(`update runs set state = 'skipped' where connection_id = $1`, [idOf(connection)]);
  expect(await connectionOf(connection)).toMatchObject({ health: 'never_run', lastRun: null });
});

it.each([
  [
    'one of its streams',
    ['campaign_daily', 'ad_group_daily'],
    'The source no longer provides ad_group_daily. Nothing was loaded.',
  ],
  ['its only stream', ['ad_group_daily'], 'The source no longer provides ad_group_daily. Nothing was loaded.'],
])('fails a run instead of silently skipping streams if the source no longer provides %s', async (_, streams, message) => {
  const sourceId = await scenario.aSource({});
  const connection = await scenario.connect({ historyDays: 3, streams }, sourceId);
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  // The stream may have been stored before the API rejected it, or the platform may have removed a report.
  await app.database.query(`update sources set settings = '{"level": "campaign"}' where id = $1`, [sourceId]);
  expect(await scenario.runAgain(connection)).toMatchObject({
    state: 'failed',
    failure: { class: 'config', code: 'sync.stream_gone', message, action: 'Choose the streams of the connection again' },
  });
  expect(await connectionOf(connection)).toMatchObject({ health: 'failing' });
});
