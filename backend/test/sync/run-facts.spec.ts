import { afterAll, beforeAll, expect, it } from 'vitest';
import { alertsOf } from '../alerts.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import {
  aConnection,
  anOrganization,
  type Connection,
  daysAgo,
  eventually,
  expectStatus,
  type Organization,
} from '../factories.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import type { RunProof } from '../../src/sync/api/run-proof.dto.js';
import type { RunDetail } from '../../src/sync/api/runs.dto.js';
import * as runs from '../runs.js';

/** The facts that the page of a run shows. */

const GERMANY = '9001000011';
const USA = '9001000012';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
let connection: Connection;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  organization = await anOrganization(app);
  connection = await aConnection(organization, warehouse, { accountIds: [GERMANY, USA], historyDays: 10 });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const newestRun = () => runs.newestRun(organization, connection.id);
const endedRun = () => runs.endedRun(app, organization, connection.id);
const proofOf = async ({ id }: RunDetail): Promise<RunProof> =>
  expectStatus(await organization.call.get<RunProof>(`${organization.path}/runs/${id}/proof`), 200).body;
const alerts = async () => (await alertsOf(organization)).items.map(({ kind, state }) => `${kind} ${state}`);
const entry = async () => (await organization.call.get<ConnectionEntry>(connection.path)).body;

it('says how long each step of a run took', async () => {
  const run = await endedRun();
  expect(run).toMatchObject({ state: 'succeeded', slicesTotal: 4, slicesDone: 4, slicesFailed: 0, slicesSkipped: 0 });
  const { plan, extract, stage, load, verify, commit } = run.stepMs;
  const tookMs = Date.parse(run.endedAt ?? '') - Date.parse(run.startedAt ?? '');
  for (const ms of [plan, extract, stage, load, verify, commit]) {
    expect(ms).toBeGreaterThanOrEqual(0);
    // Three slices at a time.
    expect(ms).toBeLessThanOrEqual(3 * tookMs);
  }
  expect(extract).toBeGreaterThan(0);
});

it('logs the plan, each verified chunk with its rows, and the end', async () => {
  const run = await endedRun();
  const [planned, ...rest] = run.log.map(({ message }) => message);
  const ended = rest.pop();
  expect(planned).toMatch(/^Planned 4 chunks: /);
  expect(ended).toMatch(/^Every row verified: /);
  const verified = rest.map((line) => /^Verified (\w+ of .+), \w+ \d+, 2\d{3} to \w+ \d+, 2\d{3}: ([\d,]+) rows\.$/.exec(line));
  const names = run.verification.map(({ accountName }) => accountName);
  const chunks = ['ad_group_daily', 'campaign_daily'].flatMap((stream) => names.map((name) => `${stream} of ${name}`));
  expect(verified.map((match) => match?.[1] ?? '').toSorted()).toEqual(chunks.toSorted());
  expect(verified.reduce((sum, match) => sum + Number(match?.[2]?.replaceAll(',', '')), 0)).toBe(run.rowsRead);
});

it('keeps the warnings of a long log', async () => {
  const { id } = await endedRun();
  await app.database.query(
    `insert into run_log_entries (organization_id, run_id, level, message)
     select $1, $2, case when number = 1 then 'warn' else 'info' end::log_level, 'Line ' || number from generate_series(1, 600) number`,
    [organization.id, id],
  );
  const { log } = await newestRun();
  expect(log).toHaveLength(500);
  expect(log.slice(0, 2).map(({ message }) => message)).toEqual(['Line 1', 'Line 102']);
  expect(log.at(-1)?.message).toBe('Line 600');
});

it('proves per stream, account and currency what was read and found', async () => {
  const proof = await proofOf(await endedRun());
  expect(proof).toMatchObject({ state: 'succeeded', isEqual: true, slices: 4, slicesCompared: 4, repair: null });
  expect(Date.parse(proof.comparedAt ?? '')).toBeLessThanOrEqual(Date.parse(proof.endedAt ?? ''));
  expect(proof.comparisonMs).toBeGreaterThanOrEqual(0);
  expect(proof.totals.map(({ stream, currency, accounts }) => `${stream} ${currency} ${accounts}`)).toEqual([
    ...['ad_group_daily EUR 1', 'ad_group_daily USD 1', 'campaign_daily EUR 1', 'campaign_daily USD 1'],
  ]);
  const [stored] = await warehouse.query<Record<string, string>>(
    `select count(*)::text as rows, sum(cost_micros)::text as cost, sum(clicks)::text as clicks,
            sum(impressions)::text as impressions, sum(conversions)::text as conversions
       from google_ads_campaign_daily where account_id = '${USA}'`,
  );
  const usa = proof.accounts.find(({ stream, accountId }) => stream === 'campaign_daily' && accountId === USA);
  expect(usa).toMatchObject({
    currency: 'USD',
    rowsRead: Number(stored?.['rows']),
    rowsFound: Number(stored?.['rows']),
    rowsMissing: 0,
    costMicrosRead: stored?.['cost'],
    costMicrosFound: stored?.['cost'],
    clicksRead: Number(stored?.['clicks']),
    clicksFound: Number(stored?.['clicks']),
    impressionsRead: Number(stored?.['impressions']),
    impressionsFound: Number(stored?.['impressions']),
  });
  expect(usa?.conversionsRead).toBeCloseTo(Number(stored?.['conversions']), 6);
  expect(usa?.conversionsFound).toBe(usa?.conversionsRead);
  expect(proof.rowsRead).toBe(proof.totals.reduce((sum, total) => sum + total.rowsRead, 0));
});

it('separates loaded, failed and skipped chunks, and names the lost rows of all chunks', async () => {
  const day = daysAgo(3);
  const [{ count: lost, cost } = { count: '0', cost: '0' }] = await warehouse.query<{ count: string; cost: string }>(
    `select count(*)::text, sum(cost_micros)::text as cost from google_ads_campaign_daily where date = '${day}' and account_id = '${GERMANY}'`,
  );
  expect(Number(lost)).toBeGreaterThan(0);
  await warehouse.query(`create function lose() returns trigger language plpgsql as $$ begin
    if new.date = '${day}' then return null; end if; return new; end $$`);
  await warehouse.query('create trigger lose before insert on google_ads_campaign_daily for each row execute function lose()');
  await warehouse.query('delete from google_ads_campaign_daily');
  await app.database.query(
    `update apps set accounts = (select jsonb_agg(account) from jsonb_array_elements(accounts) account
                                  where account->>'externalId' <> $2) where organization_id = $1 and provider = 'google_ads'`,
    [organization.id, USA],
  );
  expectStatus(await organization.call.post(`${connection.path}/run`), 202);
  const run = await endedRun();
  expect(run).toMatchObject({ state: 'partial', slicesTotal: 4, slicesDone: 4, slicesFailed: 1, slicesSkipped: 2 });

  const [germany, usa] = [GERMANY, USA].map((id) => run.verification.find(({ accountId }) => accountId === id));
  expect(germany).toMatchObject({ slices: 2, slicesCompared: 2, slicesLate: 0, isEqual: false });
  expect((germany?.rowsExpected ?? 0) - (germany?.rowsFound ?? 0)).toBe(Number(lost));
  expect(usa).toMatchObject({ slices: 2, slicesCompared: 0, rowsExpected: 0, rowsFound: 0, isEqual: false });

  const { health, healthReason, failure } = await entry();
  expect({ health, healthReason }).toEqual({ health: 'partial', healthReason: `${lost} rows missing in PostgreSQL` });
  expect(failure).toMatchObject({ code: 'sync.mismatch' });
  expect(failure?.message).toMatch(new RegExp(`: ${lost} of [\\d,]+ rows (is|are) missing at the destination\\.$`));
  expect(failure?.message).not.toMatch(/\d{4}-\d{2}-\d{2}/);

  const proof = await proofOf(run);
  expect(proof).toMatchObject({ isEqual: false, slices: 4, slicesCompared: 2 });
  expect(proof.totals.find(({ rowsMissing }) => rowsMissing > 0)).toMatchObject({
    stream: 'campaign_daily',
    currency: 'EUR',
    rowsMissing: Number(lost),
    costMicrosMissing: cost,
  });
  expect(proof.repair).toEqual({
    streams: ['campaign_daily'],
    accounts: [GERMANY],
    from: day,
    to: day,
    days: 1,
    daysLoading: 0,
  });
});

it('has nothing to repair once a later run has loaded the days that differed', async () => {
  const before = await newestRun();
  const { repair } = await proofOf(before);
  await warehouse.query('drop trigger lose on google_ads_campaign_daily');
  const { streams, accounts, from, to } = repair ?? {};
  expectStatus(await organization.call.post(`${connection.path}/reload`, { streams, accounts, from, to }), 202);
  expect(await endedRun()).toMatchObject({ kind: 'repair', state: 'succeeded' });
  expect(await proofOf(before)).toMatchObject({ isEqual: false, repair: null });
  // Two chunks were not read.
  expect(await entry()).toMatchObject({ health: 'partial', healthReason: expect.not.stringContaining('missing in') });
  expect(await alerts()).toEqual(['connection.partial open']);
});

it('leaves the connection healthy and its alert recovered once a repair has loaded all lost rows', async () => {
  await app.database.query('update sources set account_ids = $2 where organization_id = $1', [organization.id, [GERMANY]]);
  await warehouse.query('create trigger lose before insert on google_ads_campaign_daily for each row execute function lose()');
  await warehouse.query('delete from google_ads_campaign_daily');
  expectStatus(await organization.call.post(`${connection.path}/run`), 202);
  const run = await endedRun();
  expect(run).toMatchObject({ state: 'partial', slicesFailed: 1, slicesSkipped: 0 });
  expect(await entry()).toMatchObject({ health: 'partial', healthReason: expect.stringContaining('missing in PostgreSQL') });
  await warehouse.query('drop trigger lose on google_ads_campaign_daily');
  const { streams, accounts, from, to } = (await proofOf(run)).repair ?? {};
  expectStatus(await organization.call.post(`${connection.path}/reload`, { streams, accounts, from, to }), 202);
  expect(await endedRun()).toMatchObject({ kind: 'repair', state: 'succeeded' });
  expect(await entry()).toMatchObject({ health: 'healthy', failure: null, lastRun: { id: run.id, state: 'partial' } });
  expect(await alerts()).toEqual(['connection.partial recovered']);
});

it('does not show chunks of a canceled run as waiting', async () => {
  await sandbox.addFault({ fault: 'slow', delayMs: 400 });
  expectStatus(await organization.call.post(`${connection.path}/run`), 202);
  const running = await eventually(newestRun, ({ state, slicesTotal }) => state === 'running' && slicesTotal > 0);
  expectStatus(await organization.call.post(`${organization.path}/runs/${running.id}/cancel`), 202);
  const run = await newestRun();
  expect(run.state).toBe('cancelled');
  expect(run.slices.filter(({ state }) => ['pending', 'running'].includes(state))).toEqual([]);
  expect(run.slicesSkipped).toBe(run.slices.filter(({ state }) => state === 'skipped').length);
});
