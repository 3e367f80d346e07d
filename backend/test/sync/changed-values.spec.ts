import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { expectStatus } from '../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';

const STREAM = 'campaign_daily';
const TABLE = `google_ads_${STREAM}`;
const HISTORY_DAYS = 10;

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
  await warehouse.query(`drop table if exists ${TABLE}`);
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
});

/** A user's trigger that changes a value of every new row. */
async function changeNewRows(assignment: string): Promise<void> {
  await warehouse.query(`
    create or replace function change_row() returns trigger language plpgsql as $$ begin ${assignment}; return new; end $$;
    create trigger change_row before insert on ${TABLE} for each row execute function change_row()`);
}

async function aLoadedConnection(): Promise<string> {
  const connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: [STREAM] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  return connection;
}

describe('a PostgreSQL table with a trigger that changes values', () => {
  it.each([
    ['adds to the conversions', 'new.conversions := new.conversions + 0.000001', 'conversions'],
    ['loses the conversion value', 'new.conversions_value := null', 'conversions_value'],
    ['changes an integer that is not a cost', 'new.view_through_conversions := 7', 'view_through_conversions'],
    ['empties a text column', 'new.campaign_name := null', 'campaign_name'],
    ['renames campaigns', `new.campaign_name := upper(new.campaign_name)`, 'campaign_name'],
    ['sets a double to NaN', `new.conversions := 'NaN'`, 'conversions'],
  ])('%s: the run fails and reports the column', async (_, assignment, column) => {
    const connection = await aLoadedConnection();
    await warehouse.query(`truncate ${TABLE}`);
    await changeNewRows(assignment);
    const run = await scenario.runAgain(connection);
    expect(run).toMatchObject({ state: 'failed', failure: { class: 'destination', code: 'sync.mismatch' } });
    expect(run.failure?.message).toContain(`other values in ${column}.`);
    await warehouse.query(`drop trigger change_row on ${TABLE}`);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', failure: null });
  });

  it('that changes nothing does not fail the run', async () => {
    const connection = await aLoadedConnection();
    await warehouse.query(`truncate ${TABLE}`);
    await changeNewRows('new.conversions := new.conversions');
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', failure: null });
  });
});

describe('a BigQuery table', () => {
  it.each(['conversions', 'view_through_conversions', 'campaign_name'])(
    'that loses the values of %s: the run fails and reports the column',
    async (column) => {
      const { call, path } = scenario.organization;
      const key = await (await fetch(`${sandbox.url}/admin/bigquery/service-account?name=loader`)).text();
      const destination = expectStatus(
        await call.post<{ id: string }>(`${path}/destinations`, {
          provider: 'bigquery',
          name: 'BigQuery',
          settings: { projectId: 'northwind-marketing', datasetId: `ads_${scenario.organization.id.slice(-8)}`, location: 'EU' },
          credentials: { serviceAccountKey: key },
        }),
        201,
      );
      await sandbox.addFault({ provider: 'bigquery', fault: 'empty_column', column });
      const connection = await scenario.connectTo(destination.body.id, { historyDays: HISTORY_DAYS, streams: [STREAM] });
      const run = await scenario.endedRun(connection);
      expect(run).toMatchObject({ state: 'failed', failure: { class: 'destination', code: 'sync.mismatch' } });
      expect(run.failure?.message).toContain(`other values in ${column}.`);
      await sandbox.clearFaults();
      expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', failure: null });
    },
  );
});
