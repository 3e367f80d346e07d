import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import {
  aConnection,
  aDestination,
  anOrganization,
  aSource,
  type Connection,
  daysAgo,
  eventually,
  expectStatus,
  type Organization,
} from '../../test/factories.js';
import type { Answer } from '../../test/http.js';
import { StripeSandbox, stripeSettings, subscribe } from '../../test/stripe.js';
import type { RunDetail } from '../sync/api/runs.dto.js';
import { ScheduleDue } from './schedule/schedule-due.js';

let sandbox: Sandbox;
let stripe: StripeSandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
let subscriptionId: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = new StripeSandbox(sandbox);
  const settings = { ...sandboxSettings(sandbox.url), ...stripeSettings(sandbox.url), PLAN_CONNECTIONS: '3' };
  app = await startTestApp({ ROLE: 'all', ...settings });
  await stripe.connect(app);
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  warehouse = await startWarehouse();
  organization = await anOrganization(app);
  ({ subscriptionId } = await subscribe(organization, stripe));
  await isNow('open');
});
afterEach(async () => {
  await sandbox.clearFaults();
  await warehouse.stop();
});

const subscriptionOf = async () => (await organization.call.get(`${organization.path}/subscription`)).body;
const isNow = (access: string) => eventually(subscriptionOf, (subscription) => subscription['access'] === access);

async function runsOf({ id }: Connection): Promise<RunDetail[]> {
  const { body } = await organization.call.get<{ items: { id: string }[] }>(`${organization.path}/runs?connectionId=${id}`);
  const details = body.items.map((run) => organization.call.get<RunDetail>(`${organization.path}/runs/${run.id}`));
  return (await Promise.all(details)).map((answer) => answer.body);
}

describe('a subscription lapse', () => {
  it('stops active runs, starts none, deletes nothing, and missed days load automatically once after payment', async () => {
    await sandbox.addFault({ fault: 'slow', delayMs: 400 });
    const connection = await aConnection(organization, warehouse, { historyDays: 200 });
    await eventually(
      () => runsOf(connection),
      ([run]) => (run?.slicesDone ?? 0) > 0,
    );
    await stripe.force(subscriptionId, 'unpaid');
    const [stopped] = await eventually(
      () => runsOf(connection),
      ([run]) => run?.state === 'cancelled',
    );
    expect(stopped?.failure).toEqual({
      class: 'config',
      code: 'subscription.required',
      message: expect.stringContaining('Nothing is deleted'),
      action: 'Choose a plan',
      providerRequestId: null,
    });
    const states = new Set(stopped?.slices.map(({ state }) => state));
    expect(states).toEqual(new Set(['done', 'skipped']));
    await sandbox.clearFaults();

    const [kept] = await warehouse.query<{ rows: number }>('select count(*)::int as rows from google_ads_campaign_daily');
    expect(kept?.rows).toBeGreaterThan(0);
    expect(await subscriptionOf()).toMatchObject({ status: 'unpaid', access: 'closed', connectionsWaiting: 1 });
    expect((await organization.call.get(connection.path)).body).toMatchObject({
      desired: 'active',
      health: 'paused',
      healthReason: 'Waiting for a subscription',
      nextRunAt: null,
    });
    const { body: list } = await organization.call.get(`${organization.path}/connections?health=paused`);
    expect(list).toMatchObject({ counts: { all: 1, paused: 1 }, items: [{ id: connection.id, health: 'paused' }] });
    expectStatus(await organization.call.post(`${connection.path}/run`), 402);
    await makeDue(connection);
    await app.get(ScheduleDue).startDue();
    expect(await runsOf(connection)).toHaveLength(1);

    const resting = await aPausedConnection();
    await stripe.fault('webhooks_twice');
    await stripe.force(subscriptionId, 'active');
    const [caughtUp] = await eventually(
      () => runsOf(connection),
      ([run]) => run?.state === 'succeeded',
    );
    expect(caughtUp).toMatchObject({ kind: 'catch_up', trigger: 'subscription' });
    await app.get(ScheduleDue).startDue();
    expect(await runsOf(connection)).toHaveLength(2);
    expect(await runsOf(resting)).toHaveLength(0);
    const expected = await sandbox.totals('9001000011', daysAgo(200), daysAgo(-1));
    const [there] = await warehouse.query<{ rows: number }>('select count(*)::int as rows from google_ads_campaign_daily');
    expect(there?.rows).toBe(expected['campaign_daily']?.rows);
  });

  it('ends a queued run before it begins', async () => {
    const connection = await aConnection(organization, warehouse, { historyDays: 10 });
    await eventually(
      () => runsOf(connection),
      ([run]) => run?.state === 'succeeded',
    );
    await stripe.force(subscriptionId, 'canceled');
    await isNow('closed');
    await app.database.query(
      `with run as (insert into runs (organization_id, id, connection_id, kind, trigger) values ($1, gen_random_uuid(), $2, 'scheduled', 'schedule') returning *)
       select graphile_worker.add_job('run-sync', json_build_object('organizationId', organization_id, 'runId', id)) from run`,
      [organization.id, connection.id],
    );
    const [run] = await eventually(
      () => runsOf(connection),
      ([newest]) => newest?.state === 'cancelled',
    );
    expect(run).toMatchObject({ failure: { code: 'subscription.required' }, apiCalls: 0, slices: [] });
  });
});

const makeDue = ({ id }: Connection) =>
  app.database.query(
    `update connections set next_run_at = now() - interval '1 minute', schedule = '{"kind":"interval","everyMinutes":60,"timeZone":"UTC"}'
      where id = $1`,
    [id],
  );

/** Like the first one, but paused by a user: a payment does not start it. */
async function aPausedConnection(): Promise<Connection> {
  const [row] = await app.database.query<{ id: string }>(
    `insert into connections (organization_id, id, name, source_id, destination_id, streams, schedule, history_from, created_by, desired, updated_at)
     select organization_id, gen_random_uuid(), 'Resting', source_id, destination_id, streams, schedule, history_from, created_by, 'paused', now()
       from connections where organization_id = $1 limit 1 returning id`,
    [organization.id],
  );
  return { id: row!.id, path: `${organization.path}/connections/${row!.id}` };
}

describe('the plan limit', () => {
  it('limits the number of connections, also for concurrent requests of any kind', async () => {
    const body = {
      name: 'One of many',
      sourceId: await aSource(organization),
      destinationId: await aDestination(organization, warehouse),
      streams: ['campaign_daily'],
      schedule: { kind: 'manual', timeZone: 'UTC' },
      historyFrom: daysAgo(1),
    };
    const create = () => organization.call.post<{ id: string }>(`${organization.path}/connections`, body);
    const answers = await Promise.all(Array.from({ length: 12 }, create));
    const made = answers.filter(({ status }) => status === 201);
    const refused: Answer<unknown>[] = answers.filter(({ status }) => status === 402);
    expect([made.length, refused.length]).toEqual([3, 9]);
    expect(refused[0]?.body).toMatchObject({ code: 'subscription.limit_reached', detail: expect.stringContaining('3') });
    const { body: usage } = await organization.call.get(`${organization.path}/usage`);
    expect(usage).toMatchObject({ connections: { used: 3, limit: 3 }, sources: 1, destinations: 1, members: 1, apps: 2 });
    const path = `${organization.path}/connections/${made[0]?.body.id}`;
    expectStatus(await organization.call.delete(path), 204);
    expectStatus(await create(), 201);
    expect(expectStatus(await organization.call.post(`${path}/restore`), 402).body).toMatchObject({
      code: 'subscription.limit_reached',
    });
  });
});
