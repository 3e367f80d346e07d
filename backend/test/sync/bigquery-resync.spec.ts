import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { BigQueryTable } from '../bigquery-scenario.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../factories.js';
import { untilTriggered } from '../faults.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import { onlyLookback, onlyLookbackIn, ResyncScenario } from '../resync-scenario.js';
import type { BackfillDetail } from '../../src/backfills/backfills.dto.js';
import type { ConnectionSchema } from '../../src/connections/schema/schema.dto.js';
import type { ConnectionAudit } from '../../src/sync/index.js';

/** Much longer than the lookback window of three days: older days are read again only if they count as missing. */
const HISTORY_DAYS = 40;
const STREAM = 'campaign_daily';
const TABLE = `google_ads_${STREAM}`;
/** In the time zones of Berlin and New York. */
const [FIRST, OTHER = ''] = googleAds.accounts;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let resync: ResyncScenario;
let table: BigQueryTable;
let destination: string;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await sandbox.clearFaults();
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  table = await BigQueryTable.create(scenario, sandbox, TABLE);
  destination = await table.aDestination();
  resync = new ResyncScenario(scenario, STREAM);
});

const call = () => scenario.organization.call;
const connect = async (accountIds = [FIRST]): Promise<string> => {
  const path = await scenario.connectTo(destination, { historyDays: HISTORY_DAYS, streams: [STREAM], accountIds });
  expect(await scenario.endedRun(path)).toMatchObject({ state: 'succeeded', failure: null });
  return path;
};
const newTables = async () => (await table.tables()).filter((name) => name.startsWith(`${TABLE}_n`));

async function expectEqualSums(accountIds: string[]): Promise<void> {
  for (const accountId of accountIds)
    expect(await table.sums(accountId, daysAgo(HISTORY_DAYS), daysAgo(-1))).toEqual(
      await scenario.atSource(accountId, STREAM, HISTORY_DAYS),
    );
}

/** As a user would do it: BigQuery cannot change FLOAT64 to STRING in place. */
async function retypeConversions(): Promise<void> {
  const { schema } = await table.stored();
  const names: Record<string, string> = { INTEGER: 'INT64', FLOAT: 'FLOAT64', BOOLEAN: 'BOOL' };
  const typeOf = ({ name, type }: { name: string; type: string }) => (name === 'conversions' ? 'STRING' : (names[type] ?? type));
  const columns = schema.fields.map((field) => `${field.name} ${typeOf(field)}${field.mode === 'REQUIRED' ? ' NOT NULL' : ''}`);
  const values = schema.fields.map(({ name }) => (name === 'conversions' ? 'CAST(conversions AS STRING)' : name));
  const { clustering } = await table.call<{ clustering: { fields: string[] } }>(
    'GET',
    `/datasets/${table.datasetId}/tables/${TABLE}`,
  );
  await table.query(`CREATE OR REPLACE TABLE ${table.qualifiedName} (${columns.join(', ')}) PARTITION BY date
    CLUSTER BY ${clustering.fields.join(', ')} OPTIONS (labels = [('tributary', 'owned'), ('team', 'growth')])
    AS SELECT ${values.join(', ')} FROM ${table.qualifiedName}`);
}

/** Counts the rows until it is stopped: damaged ones, and all. */
function aReader(): { stop(): Promise<string[]> } {
  const seen: string[] = [];
  let isStopped = false;
  const reading = (async () => {
    while (!isStopped) {
      const [row = []] = await table.query(
        `SELECT COUNTIF(campaign_name = 'damaged'), COUNT(*) FROM ${table.qualifiedName} WHERE account_id = '${FIRST}'`,
      );
      seen.push(row.join(' of '));
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await reading;
      return seen;
    },
  };
}

describe('a re-sync into BigQuery', () => {
  it('is offered, fixes a column whose type was changed, keeps labels of users, and loads the history once', async () => {
    const connection = await connect();
    expect((await call().get<ConnectionSchema>(`${connection}/schema`)).body.resyncRefusal).toBeNull();
    await retypeConversions();
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed', failure: { code: 'bigquery.table_changed' } });
    const since = new Date();
    await resync.swapped(connection);
    await expectEqualSums([FIRST]);
    const stored = await table.stored();
    expect(stored.schema.fields).toContainEqual(expect.objectContaining({ name: 'conversions', type: 'FLOAT' }));
    expect(stored.labels).toMatchObject({ team: 'growth' });
    expect(await newTables()).toEqual([]);
    await resync.expectFixed(connection, { since, historyDays: HISTORY_DAYS });
  });

  it('shows readers the old or the new rows, never a mixture, and loads of another connection wait for the swap', async () => {
    const connection = await connect();
    const other = await connect([OTHER]);
    await table.query(`UPDATE ${table.qualifiedName} SET campaign_name = 'damaged' WHERE account_id = '${FIRST}'`);
    const [[count] = []] = await table.query(`SELECT COUNT(*) FROM ${table.qualifiedName} WHERE account_id = '${FIRST}'`);
    const reader = aReader();
    await table.fault('slow_job', { delayMs: 6_000, table: TABLE, times: 1 });
    const id = await resync.start(connection);
    await untilTriggered(sandbox, 'slow_job');
    expectStatus(await call().post(`${other}/run`), 202);
    await resync.swapped(connection, id);
    const seen = await reader.stop();
    expect(new Set(seen)).toEqual(new Set([`${count} of ${count}`, `0 of ${count}`]));
    const waited = await scenario.endedRunAfterPauses(other);
    expect(waited).toMatchObject({ state: 'succeeded', failure: null });
    expect(waited.log.map(({ message }) => message).join()).toContain('A re-sync is replacing the table.');
    await expectEqualSums([FIRST, OTHER]);
    // The audit compares the new table with the moved coverage.
    expectStatus(await call().post(`${connection}/audit`), 202);
    const audit = await eventually(
      async () => (await call().get<ConnectionAudit>(`${connection}/audit`)).body,
      ({ current }) => current === null,
    );
    expect(audit.last).toMatchObject({ state: 'done', differingAccountDays: 0 });
  });

  it('keeps the rows of another connection, of removed accounts and of older days, and reloads none of them', async () => {
    const first = await connect();
    const second = await connect([OTHER]);
    const { schema } = await table.stored();
    const copied = (changes: Record<string, string>) =>
      `INSERT INTO ${table.qualifiedName} SELECT ${schema.fields.map(({ name }) => changes[name] ?? name).join(', ')}
         FROM ${table.qualifiedName} WHERE account_id = '${FIRST}' LIMIT 1`;
    await table.query(copied({ account_id: "'1'", campaign_name: "'gone'" }));
    await table.query(copied({ date: "DATE '2004-01-01'", campaign_name: "'old'" }));
    await resync.swapped(first);
    await expectEqualSums([FIRST, OTHER]);
    const kept = `SELECT campaign_name FROM ${table.qualifiedName} WHERE campaign_name IN ('gone', 'old') ORDER BY 1`;
    expect(await table.query(kept)).toEqual([['gone'], ['old']]);
    expect(await scenario.runAgain(second)).toMatchObject(onlyLookbackIn('America/New_York'));
    expect(await scenario.runAgain(first)).toMatchObject(onlyLookback);
  });

  it('is rejected with the reason, within its first run, if something depends on the table that cannot follow', async () => {
    const connection = await connect();
    const before = await table.stored();
    const tables = `/datasets/${table.datasetId}/tables`;
    const materializedView = { query: `SELECT SUM(clicks) AS clicks FROM ${table.qualifiedName}` };
    await table.call('POST', tables, { tableReference: { tableId: 'monthly' }, materializedView });
    const failed = await resync.ended(connection, await resync.start(connection));
    expect(failed).toMatchObject({ state: 'failed', failure: { code: 'resync.refused' } });
    expect(failed.failure?.message).toContain('the materialized view monthly reads it');
    expect([(await table.stored()).creationTime, await newTables()]).toEqual([before.creationTime, []]);
    await table.call('DELETE', `${tables}/monthly`);
    expectStatus(await call().post(`${connection}/backfills/${failed.id}/retry-failed`), 200);
    await resync.swapped(connection, failed.id);
    expect((await table.stored()).creationTime).not.toBe(before.creationTime);
    await expectEqualSums([FIRST]);
  });

  it('drops the new table when it is canceled, and leaves the old one alone', async () => {
    const connection = await connect();
    const before = await table.stored();
    await scenario.fault('slow', { delayMs: 1_500, afterRequests: 1 });
    const id = await resync.start(connection);
    await eventually(newTables, (names) => names.length > 0);
    expectStatus(await call().post<BackfillDetail>(`${connection}/backfills/${id}/cancel`), 200);
    await eventually(newTables, (names) => names.length === 0);
    expect((await table.stored()).creationTime).toBe(before.creationTime);
    await sandbox.clearFaults();
    expect(await scenario.runAgain(connection)).toMatchObject(onlyLookback);
    await expectEqualSums([FIRST]);
  });
});
