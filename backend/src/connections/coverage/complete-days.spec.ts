import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { daysAgo } from '../../../test/factories.js';
import { aPlatformScenario, type PlatformScenario } from '../../../test/platform-scenario.js';
import { googleAds } from '../../../test/platforms.js';
import type { ConnectionEntry } from '../connections.dto.js';
import type { Completeness, CoverageAnswer } from './coverage.dto.js';

const HISTORY_DAYS = 10;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let connection: string;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: ['campaign_daily'] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const get = async <Body>(path: string) => (await scenario.organization.call.get<Body>(`${connection}${path}`)).body;

/** Every day was last read before it was over. */
const readBeforeTheEnd = (day: string) =>
  app.database.query(
    `update coverage set last_verified_at = ($2 || ' 23:38')::timestamp at time zone 'Europe/Berlin' where connection_id = $1 and day = $2::date`,
    [connection.split('/').at(-1), day],
  );

it('counts a day as complete once it was read after its end in the account’s time zone', async () => {
  const [yesterday, dayBefore] = [daysAgo(1), daysAgo(2)];
  expect(await get<ConnectionEntry>('')).toMatchObject({ completeThrough: yesterday });
  expect(await get<Completeness>('/completeness')).toMatchObject({ isComplete: true, missing: 0, completeThrough: yesterday });

  await readBeforeTheEnd(yesterday);
  expect(await get<ConnectionEntry>('')).toMatchObject({ completeThrough: dayBefore });
  expect(await get<Completeness>('/completeness')).toMatchObject({ isComplete: false, missing: 1, completeThrough: dayBefore });
  const [account] = (await get<CoverageAnswer>('/coverage')).accounts;
  expect(account?.completeThrough).toBe(dayBefore);
  const flags = new Map(account?.days.map((day) => [day.date, day.isComplete]));
  expect([flags.get(dayBefore), flags.get(yesterday)]).toEqual([true, false]);

  expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
  expect(await get<Completeness>('/completeness')).toMatchObject({ isComplete: true, completeThrough: yesterday });
});

it('reads a final day again if it was last read before its end', async () => {
  const settled = daysAgo(8);
  await readBeforeTheEnd(settled);
  expect(await get<ConnectionEntry>('')).toMatchObject({ completeThrough: daysAgo(9) });
  expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: settled } });
  expect(await get<Completeness>('/completeness')).toMatchObject({ isComplete: true });
});
