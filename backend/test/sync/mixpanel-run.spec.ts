import { alertsOf } from '../alerts.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { anOrganization, aSource, type Connection, daysAgo, expectStatus, type Organization } from '../factories.js';
import type { DestinationPage } from '../../src/destinations/destinations.dto.js';
import type { RunDetail, RunSummary } from '../../src/sync/api/runs.dto.js';
import * as runs from '../runs.js';

const LONDON = '9001000020';
const OTHER = '9001000011';
const PROJECT = '3100001';

let sandbox: Sandbox;
let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  await sandbox.clearFaults();
  organization = await anOrganization(app);
});

async function aMixpanelConnection(
  historyDays: number,
  streams = ['campaign_daily', 'ad_group_daily'],
  accountIds = [LONDON],
): Promise<Connection> {
  const destination = {
    provider: 'mixpanel',
    name: 'Product analytics',
    settings: { projectId: PROJECT, residency: 'US', eventName: `Ad Data ${organization.path.slice(-8)}` },
    credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
  };
  const { body: made } = expectStatus(
    await organization.call.post<{ id: string }>(`${organization.path}/destinations`, destination),
    201,
  );
  const { body } = expectStatus(
    await organization.call.post<{ id: string }>(`${organization.path}/connections`, {
      name: 'Spend and behavior',
      sourceId: await aSource(organization, { accountIds }),
      destinationId: made.id,
      streams,
      schedule: { kind: 'manual', timeZone: 'UTC' },
      lookbackDays: 12,
      historyFrom: daysAgo(historyDays),
    }),
    201,
  );
  return { id: body.id, path: `${organization.path}/connections/${body.id}` };
}

const endedRun = (connection: Connection) => runs.endedRun(app, organization, connection.id);
async function runAgain(connection: Connection): Promise<RunDetail> {
  expectStatus(await organization.call.post<RunSummary>(`${connection.path}/run`), 202);
  return endedRun(connection);
}

interface Shown {
  groups: Record<string, { events: number; sums: Record<string, string> }>;
  rawEvents: number;
}

async function atMixpanel(): Promise<Shown> {
  const event = `Ad Data ${organization.path.slice(-8)}`;
  const query = { projectId: PROJECT, accountId: LONDON, from: daysAgo(100), to: daysAgo(-1), groupBy: 'stream', event };
  const answer = await fetch(`${sandbox.url}/admin/mixpanel/totals?${new URLSearchParams(query)}`);
  return (await answer.json()) as Shown;
}

/** Expects Mixpanel's reports to equal the sandbox's totals, to the micro. */
async function expectEqualSums(historyDays: number, streams = ['campaign_daily', 'ad_group_daily']): Promise<void> {
  const expected = await sandbox.totals(LONDON, daysAgo(historyDays), daysAgo(-1));
  const { groups } = await atMixpanel();
  for (const stream of streams) {
    const sums = groups[stream]?.sums ?? {};
    const costMicros = BigInt(Math.round(Number(sums['cost']) * 1e6));
    expect({ costMicros: String(costMicros), clicks: Number(sums['clicks']), impressions: Number(sums['impressions']) }).toEqual({
      costMicros: expected[stream]?.costMicros,
      clicks: expected[stream]?.clicks,
      impressions: expected[stream]?.impressions,
    });
  }
}

describe('a run to Mixpanel', () => {
  it('succeeds if Mixpanel shows the read rows; a second run sends nothing; restated and removed rows are corrected', async () => {
    const connection = await aMixpanelConnection(40);
    expect(await endedRun(connection)).toMatchObject({ state: 'succeeded', failure: null });
    await expectEqualSums(40);
    const { rawEvents } = await atMixpanel();
    expect(await runAgain(connection)).toMatchObject({ state: 'succeeded' });
    expect((await atMixpanel()).rawEvents).toBe(rawEvents);
    await sandbox.addFault({ fault: 'restate', customerId: LONDON, from: daysAgo(11), to: daysAgo(2) });
    expect(await runAgain(connection)).toMatchObject({ state: 'succeeded' });
    await expectEqualSums(40);
    expect((await atMixpanel()).rawEvents).toBeGreaterThan(rawEvents);
  });

  it('resumes after Mixpanel breaks off although it accepted events, and duplicates none', async () => {
    await sandbox.addFault({ provider: 'mixpanel', fault: 'fail_after_applying', times: 1, drop: true, afterRequests: 1 });
    // The check before saving also calls /import once.
    const connection = await aMixpanelConnection(20);
    expect(await endedRun(connection)).toMatchObject({ state: 'succeeded' });
    await expectEqualSums(20);
  });

  it('does not succeed while Mixpanel loses events, and the next run sends them', async () => {
    await sandbox.addFault({ provider: 'mixpanel', fault: 'drop_events', everyNth: 1 });
    const connection = await aMixpanelConnection(5, ['campaign_daily']);
    const run = await endedRun(connection);
    expect(run.state).not.toBe('succeeded');
    await sandbox.clearFaults();
    expect(await runAgain(connection)).toMatchObject({ state: 'succeeded' });
    await expectEqualSums(5, ['campaign_daily']);
  });

  it('loads the other accounts if Mixpanel rejects rows of one, and the destination stays ready', async () => {
    const connection = await aMixpanelConnection(5, ['campaign_daily'], [LONDON, OTHER]);
    expect(await endedRun(connection)).toMatchObject({ state: 'succeeded' });
    for (const customerId of [LONDON, OTHER])
      await sandbox.addFault({ fault: 'restate', customerId, from: daysAgo(4), to: daysAgo(2) });
    await sandbox.addFault({ provider: 'mixpanel', fault: 'reject_events', everyNth: 1, times: 1 });
    const run = await runAgain(connection);
    expect(run.state).toBe('partial');
    expect(run.slices.map(({ state }) => state).sort()).toEqual(['done', 'failed']);
    expect(run.slices.find(({ state }) => state === 'failed')?.failure).toMatchObject({ code: 'mixpanel.row_refused' });
    const { body } = await organization.call.get<DestinationPage>(`${organization.path}/destinations`);
    expect(body.items).toMatchObject([{ state: 'ready', failure: null }]);
    await sandbox.clearFaults();
    expect(await runAgain(connection)).toMatchObject({ state: 'succeeded' });
    await expectEqualSums(5, ['campaign_daily']);
  });

  it('ends unverified while Mixpanel does not show the rows yet, and the next run verifies them without duplicates', async () => {
    await sandbox.addFault({ provider: 'mixpanel', fault: 'delay_events', seconds: 3_600 });
    const connection = await aMixpanelConnection(5, ['campaign_daily']);
    const run = await endedRun(connection);
    expect(run).toMatchObject({
      state: 'unverified',
      failure: { code: 'sync.unverified_late', action: 'No action needed: the next run verifies them' },
    });
    expect(run.slices.map(({ state }) => state)).toEqual(['unverified']);
    const { body: shown } = await organization.call.get<{ health: string }>(connection.path);
    expect(shown.health).toBe('unverified');
    const stateOfDays = async () =>
      (
        await app.database.query<{ state: string }>(
          `select distinct state::text from coverage where connection_id = $1 and state not in ('provisional', 'empty_confirmed')`,
          [connection.id],
        )
      ).map(({ state }) => state);
    expect(await stateOfDays()).toEqual(['missing']);
    const alerts = async () => (await alertsOf(organization)).items.map(({ kind, recoveredAt }) => [kind, recoveredAt !== null]);
    expect(await alerts()).toEqual([]);
    // After a day without a verified run.
    await app.database.query(`update runs set queued_at = queued_at - interval '1 day' where id = $1`, [run.id]);
    expect(await runAgain(connection)).toMatchObject({ state: 'unverified' });
    expect(await alerts()).toEqual([['connection.partial', false]]);
    await sandbox.clearFaults();
    expect(await runAgain(connection)).toMatchObject({ state: 'succeeded', failure: null });
    expect(await alerts()).toEqual([['connection.partial', true]]);
    expect(await stateOfDays()).toEqual([]);
    await expectEqualSums(5, ['campaign_daily']);
    const { body } = await organization.call.get<{ health: string }>(connection.path);
    expect(body.health).toBe('healthy');
  });
});
