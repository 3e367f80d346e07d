import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aDestination, daysAgo, eventually, expectStatus } from '../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import type { ConnectionSchema } from '../../src/connections/schema/schema.dto.js';
import type { ConnectionAudit } from '../../src/sync/api/destination-audits.dto.js';
import type { RunDetail } from '../../src/sync/api/runs.dto.js';

/** Longer than the lookback window of three days. */
const HISTORY_DAYS = 12;
const STREAM = 'campaign_daily';
const TABLE = `google_ads_${STREAM}`;
const hashed = [{ stream: STREAM, columns: ['campaign_name'] }];
const [ACCOUNT] = googleAds.accounts;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let connection: string;
let names: string[];

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await warehouse.query(`drop table if exists ${TABLE}`);
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: [STREAM] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  names = await namesInTable();
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const namesInTable = async (): Promise<string[]> =>
  (await warehouse.query<{ name: string }>(`select distinct campaign_name as name from ${TABLE} order by 1`)).map(
    ({ name }) => name,
  );

const patch = async (change: object, path = connection) => {
  const { version } = (await scenario.organization.call.get<ConnectionEntry>(path)).body;
  return scenario.organization.call.patch<{ code: string }>(path, { ...change, version });
};

/** The run that starts automatically after the change. */
async function runAfterPatch(change: object): Promise<RunDetail> {
  const before = await scenario.newestRun(connection);
  expectStatus(await patch(change), 200);
  return scenario.endedRun(connection, before.id);
}

describe('a hashed field', () => {
  it('is stored as SHA-256 on all days, and verification and audit compare the hashes', async () => {
    const run = await runAfterPatch({ hashedFields: hashed });
    expect(run).toMatchObject({ state: 'succeeded', window: { from: daysAgo(HISTORY_DAYS) } });
    expect(run.log.map(({ message }) => message)).toContain(
      `The setting of hashed fields changed for campaign_name of public.${TABLE}: all days of ${STREAM} are loaded again.`,
    );
    expect(await namesInTable()).toEqual(names.map(sha256).toSorted());
    await scenario.expectEqualSums([ACCOUNT], HISTORY_DAYS, [STREAM]);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(3) } });
    const { body } = await scenario.organization.call.get<ConnectionSchema>(`${connection}/schema`);
    const field = body.streams.find(({ name }) => name === STREAM)?.fields.find(({ name }) => name === 'campaign_name');
    expect(field).toMatchObject({ canHash: true, isHashed: true });
    const { version } = (await scenario.organization.call.get<ConnectionEntry>(connection)).body;
    expect(body.version).toBe(version);
    expectStatus(await scenario.organization.call.post(`${connection}/audit`), 202);
    const audit = await eventually(
      async () => (await scenario.organization.call.get<ConnectionAudit>(`${connection}/audit`)).body,
      ({ current, last }) => current === null && last !== null,
    );
    expect(audit.last).toMatchObject({ state: 'done', differingAccountDays: 0 });
  });

  it('that is changed at the destination is found by the audit', async () => {
    await runAfterPatch({ hashedFields: hashed });
    await warehouse.query(`update ${TABLE} set campaign_name = 'plain' where date = current_date - 10`);
    expectStatus(await scenario.organization.call.post(`${connection}/audit`), 202);
    const audit = await eventually(
      async () => (await scenario.organization.call.get<ConnectionAudit>(`${connection}/audit`)).body,
      ({ current, last }) => current === null && last !== null,
    );
    expect(audit.last?.differingAccountDays).toBeGreaterThan(0);
  });

  it('is stored as text again on all days once it is no longer hashed', async () => {
    await runAfterPatch({ hashedFields: hashed });
    expect(await runAfterPatch({ hashedFields: [] })).toMatchObject({
      state: 'succeeded',
      window: { from: daysAgo(HISTORY_DAYS) },
    });
    expect(await namesInTable()).toEqual(names);
  });

  it('is rejected for a second connection of the same table that stores the text', async () => {
    const destination = await aDestination(scenario.organization, warehouse);
    const other = await scenario.connectTo(destination, { historyDays: 3, streams: [STREAM] });
    await scenario.endedRun(other);
    const third = await scenario.connectTo(destination, { historyDays: 3, streams: [STREAM] });
    expect(await patch({ hashedFields: hashed }, third)).toMatchObject({
      status: 409,
      body: { code: 'connection.fields_differ' },
    });
  });

  it.each([
    ['identifies rows', 'campaign_id', 'connection.unhashable_column'],
    ['is a number', 'conversions', 'connection.unhashable_column'],
    ['is the currency', 'currency', 'connection.unhashable_column'],
    ['does not exist', 'nonsense', 'connection.unknown_column'],
  ])('is rejected if it %s', async (_what, column, code) => {
    expect(await patch({ hashedFields: [{ stream: STREAM, columns: [column] }] })).toMatchObject({ status: 422, body: { code } });
  });
});
