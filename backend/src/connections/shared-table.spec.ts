import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aDestination, daysAgo, eventually, expectStatus } from '../../test/factories.js';
import { aPlatformScenario, type PlatformScenario } from '../../test/platform-scenario.js';
import { googleAds } from '../../test/platforms.js';
import type { RunDetail } from '../sync/api/runs.dto.js';
import type { ConnectionEntry } from './connections.dto.js';
import type { Estimate } from './estimate.dto.js';

const HISTORY_DAYS = 12;
const STREAM = 'campaign_daily';
const UNIFIED = 'ad_performance_daily';
const TABLE = `google_ads_${STREAM}`;
const [LONDON, OTHER = ''] = googleAds.accounts;
const HASHED_NAMES = [{ stream: STREAM, columns: ['campaign_name'] }];
const WITHOUT_NAMES = [{ stream: STREAM, columns: ['campaign_name'] }];

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
  await warehouse.query(`drop table if exists ${TABLE}, ${UNIFIED}`);
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
});

interface Wish {
  name: string;
  destinationId: string;
  accountIds?: string[];
  streams?: string[];
  leftOut?: object[];
  hashedFields?: object[];
}

async function bodyOf({ name, destinationId, accountIds = [LONDON], streams = [STREAM], leftOut, hashedFields }: Wish) {
  return {
    name,
    sourceId: await scenario.aSource({ accountIds }),
    destinationId,
    streams,
    leftOut,
    hashedFields,
    schedule: { kind: 'manual', timeZone: 'UTC' },
    lookbackDays: 3,
    historyFrom: daysAgo(HISTORY_DAYS),
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const connections = () => `${scenario.organization.path}/connections`;
const create = async (wish: Wish) => scenario.organization.call.post<{ id: string }>(connections(), await bodyOf(wish));

async function created(wish: Wish): Promise<string> {
  const { body } = expectStatus(await create(wish), 201);
  const path = `${connections()}/${body.id}`;
  expect(await scenario.endedRun(path)).toMatchObject({ state: 'succeeded' });
  return path;
}

const refusal = {
  status: 409,
  body: {
    code: 'connection.fields_differ',
    detail: `"All fields" writes the same accounts into the same table with other fields (${STREAM}). The connections would empty each other's cells.`,
    action: 'Choose the same fields as in "All fields", or a destination with another table prefix',
  },
};

const patched = async (path: string, change: object) => {
  const { body } = await scenario.organization.call.get<ConnectionEntry>(path);
  return scenario.organization.call.patch(path, { ...change, version: body.version });
};

describe('a second connection with other fields of the same account and table', () => {
  it('is rejected when it is created and by the estimate', async () => {
    const destinationId = await aDestination(scenario.organization, warehouse);
    await created({ name: 'All fields', destinationId });
    const second = { name: 'Without names', destinationId, accountIds: [OTHER, LONDON], leftOut: WITHOUT_NAMES };
    expect(await create(second)).toMatchObject(refusal);
    const { name: _, ...estimate } = await bodyOf(second);
    expect(await scenario.organization.call.post(`${connections()}/estimate`, estimate)).toMatchObject(refusal);
  });

  it('is rejected when the fields or streams of either connection change', async () => {
    const destinationId = await aDestination(scenario.organization, warehouse);
    await created({ name: 'All fields', destinationId });
    const second = await created({ name: 'Second', destinationId });
    expect(await patched(second, { leftOut: WITHOUT_NAMES })).toMatchObject(refusal);
    expectStatus(await patched(second, { streams: [UNIFIED], leftOut: WITHOUT_NAMES }), 200);
    expect(await patched(second, { streams: [STREAM, UNIFIED] })).toMatchObject(refusal);
  });

  it('is rejected when the first one is deleted and restored', async () => {
    const destinationId = await aDestination(scenario.organization, warehouse);
    const first = await created({ name: 'First', destinationId, leftOut: WITHOUT_NAMES });
    expectStatus(await scenario.organization.call.delete(first), 204);
    await created({ name: 'All fields', destinationId });
    expect(await scenario.organization.call.post(`${first}/restore`)).toMatchObject(refusal);
  });

  it('makes the first one load all days again if it loaded while the first one was deleted', async () => {
    const destinationId = await aDestination(scenario.organization, warehouse);
    const first = await created({ name: 'All fields', destinationId });
    expectStatus(await scenario.organization.call.delete(first), 204);
    const second = await created({ name: 'Second', destinationId, leftOut: WITHOUT_NAMES });
    await warehouse.query(`update ${TABLE} set campaign_name = null`);
    expectStatus(await scenario.organization.call.delete(second), 204);
    const before = await scenario.newestRun(first);
    expectStatus(await scenario.organization.call.post(`${first}/restore`), 200);
    const run = await scenario.endedRun(first, before.id);
    expect(run).toMatchObject({ state: 'succeeded', window: { from: daysAgo(HISTORY_DAYS) } });
    expect(await warehouse.query(`select 1 from ${TABLE} where campaign_name is null`)).toEqual([]);
  });

  it.each([
    ['of other accounts', { accountIds: [OTHER], leftOut: WITHOUT_NAMES }],
    ['of another stream', { streams: [UNIFIED], leftOut: [{ stream: UNIFIED, columns: ['campaign_name'] }] }],
    ['with the same fields', {}],
  ])('is accepted if it is one %s', async (_what, change) => {
    const destinationId = await aDestination(scenario.organization, warehouse);
    await created({ name: 'All fields', destinationId });
    await created({ name: 'Second', destinationId, ...change });
  });
});

describe('an estimate with hashed fields', () => {
  it('has their hashes in its first rows, and accepts a connection of the table that hashes the same fields', async () => {
    const wish = { name: 'Hashed names', destinationId: await aDestination(scenario.organization, warehouse) };
    const { name: _, ...plain } = await bodyOf(wish);
    const estimate = async (body: object) => scenario.organization.call.post<Estimate>(`${connections()}/estimate`, body);
    const namesOf = ({ sample }: Estimate) => sample.rows.map((row) => row[sample.columns.indexOf('campaign_name')] ?? '');
    const texts = namesOf(expectStatus(await estimate(plain), 200).body);
    await created({ ...wish, hashedFields: HASHED_NAMES });
    const hashes = namesOf(expectStatus(await estimate({ ...plain, hashedFields: HASHED_NAMES }), 200).body);
    expect(texts.length).toBeGreaterThan(0);
    expect(hashes).toEqual(texts.map(sha256));
    expect(await estimate(plain)).toMatchObject({ status: 409, body: { code: 'connection.fields_differ' } });
  });

  it('is rejected for a field that cannot be hashed', async () => {
    const destinationId = await aDestination(scenario.organization, warehouse);
    const hashedFields = [{ stream: STREAM, columns: ['campaign_id'] }];
    const { name: _, ...body } = await bodyOf({ name: 'Hashed ids', destinationId, hashedFields });
    expect(await scenario.organization.call.post(`${connections()}/estimate`, body)).toMatchObject({
      ...{ status: 422, body: { code: 'connection.unhashable_column' } },
    });
  });
});

describe('the estimate of a second connection', () => {
  const tableCheck = async (wish: Wish) => {
    const { name: _, ...body } = await bodyOf(wish);
    const estimate = expectStatus(await scenario.organization.call.post<Estimate>(`${connections()}/estimate`, body), 200);
    return estimate.body.checks.find(({ code }) => code === 'tables_unshared');
  };

  it('names the connection that already writes the same accounts into the same tables', async () => {
    const destinationId = await aDestination(scenario.organization, warehouse);
    await created({ name: 'All fields', destinationId });
    const warning = {
      state: 'passed',
      isWarning: true,
      detail: `"All fields" already writes the same accounts into the same table (${STREAM}).`,
      action: 'Continue only if both are needed: every row is read and written twice',
    };
    expect(await tableCheck({ name: 'Second', destinationId, accountIds: [LONDON, OTHER] })).toMatchObject(warning);
    const sameSettings = await aDestination(scenario.organization, warehouse);
    expect(await tableCheck({ name: 'Second', destinationId: sameSettings })).toMatchObject(warning);
  });

  it('has no warning if the other connection writes other accounts or streams', async () => {
    const destinationId = await aDestination(scenario.organization, warehouse);
    await created({ name: 'All fields', destinationId });
    const quiet = { label: 'No other connection of this organization writes these tables', state: 'passed', detail: null };
    for (const change of [{ accountIds: [OTHER] }, { streams: [UNIFIED] }]) {
      const check = await tableCheck({ name: 'Second', destinationId, ...change });
      expect(check).toMatchObject(quiet);
      expect(check?.isWarning).toBeUndefined();
    }
  });
});

describe('two existing connections with different fields, or with two destinations', () => {
  const runOf = async (path: string): Promise<RunDetail> => scenario.runAgain(path);

  it('the newer one fails with the name of the older one, which loads the emptied cells again', async () => {
    const [first, second] = [
      await aDestination(scenario.organization, warehouse),
      await aDestination(scenario.organization, warehouse),
    ];
    const older = await created({ name: 'All fields', destinationId: first });
    const { body } = expectStatus(await create({ name: 'Without names', destinationId: second, leftOut: WITHOUT_NAMES }), 201);
    const newer = `${connections()}/${body.id}`;
    const failure = {
      class: 'config',
      code: 'sync.fields_differ',
      message: `"All fields" writes the same accounts into public.${TABLE} with other fields. The connections would empty each other's cells. Nothing was loaded.`,
      action: 'Choose the same fields as in "All fields", or a destination with another table prefix',
    };
    expect(await scenario.endedRun(newer)).toMatchObject({ state: 'failed', failure });
    // State from before such runs were rejected: the newer connection has loaded its days and emptied the names.
    await app.database.query(
      `insert into coverage (organization_id, connection_id, stream, account_id, day, state)
       values ($1, $2, $3, $4, current_date - 10, 'final')`,
      [scenario.organization.id, body.id, STREAM, LONDON],
    );
    await warehouse.query(`update ${TABLE} set campaign_name = null`);
    expect(await runOf(newer)).toMatchObject({ state: 'failed', failure });
    const again = await runOf(older);
    expect(again).toMatchObject({ state: 'succeeded', window: { from: daysAgo(HISTORY_DAYS) } });
    expect(await warehouse.query(`select 1 from ${TABLE} where campaign_name is null`)).toEqual([]);
    expectStatus(await patched(newer, { leftOut: [] }), 200);
    const filled = await eventually(
      () => scenario.newestRun(newer),
      ({ endedAt, state }) => endedAt !== null && state !== 'failed',
    );
    expect(filled).toMatchObject({ state: 'succeeded', failure: null });
    expect(await runOf(older)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(3) } });
  });
});
