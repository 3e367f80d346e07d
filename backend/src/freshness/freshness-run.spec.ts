import { afterAll, beforeAll, expect, it } from 'vitest';
import { alertMailsOf, alertsOf, untilEventsDelivered } from '../../test/alerts.js';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import {
  aDestination,
  anOrganization,
  aSource,
  type Connection,
  daysAgo,
  eventually,
  expectStatus,
  type Organization,
} from '../../test/factories.js';
import { type Receiver, startReceiver } from '../../test/receiver.js';
import type { FreshnessEntry } from './freshness.dto.js';
import { CheckDeadlines } from './watch/check-deadlines.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let receiver: Receiver;
let organization: Organization;

beforeAll(async () => {
  [sandbox, warehouse, receiver] = await Promise.all([startSandbox(), startWarehouse(), startReceiver()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  organization = await anOrganization(app);
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop(), receiver?.stop()]);
});

const received = (): string[] =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as { type: string; data: { day: string } })
    .map(({ type, data }) => `${type} ${data.day}`);

async function aConnection(): Promise<Connection> {
  const { body } = expectStatus(
    await organization.call.post<{ id: string; freshnessTarget: object }>(`${organization.path}/connections`, {
      name: 'Search to warehouse',
      sourceId: await aSource(organization),
      destinationId: await aDestination(organization, warehouse),
      streams: ['campaign_daily'],
      schedule: { kind: 'manual', timeZone: 'UTC' },
      lookbackDays: 1,
      historyFrom: daysAgo(6),
      // Tomorrow's or a later deadline of yesterday, at whatever hour the test runs.
      freshnessTarget: { atTime: '23:59', timeZone: 'Europe/Berlin', daysAfter: 2 },
    }),
    201,
  );
  expect(body.freshnessTarget).toEqual({ atTime: '23:59', timeZone: 'Europe/Berlin', daysAfter: 2 });
  return { id: body.id, path: `${organization.path}/connections/${body.id}` };
}

it('notifies of yesterday when the first run has ended, and of a late day that a later run loads', async () => {
  const endpoint = { kind: 'signed', name: 'Orchestrator', url: `${receiver.url}/hook` };
  const made = await organization.call.post<{ endpoint: { id: string } }>(`${organization.path}/webhook-endpoints`, endpoint);
  const events = ['freshness.complete', 'freshness.late', 'freshness.recovered'];
  const rule = { channel: 'webhook', events, endpointId: expectStatus(made, 201).body.endpoint.id };
  expectStatus(await organization.call.post(`${organization.path}/notification-rules`, rule), 201);
  const connection = await aConnection();
  await eventually(() => Promise.resolve(received()), (all) => all.includes(`freshness.complete ${daysAgo(1)}`)); // prettier-ignore
  const freshness = async () => (await organization.call.get<FreshnessEntry>(`${connection.path}/freshness`)).body;
  expect(await freshness()).toMatchObject({ day: daysAgo(1), isComplete: true, state: 'on_time', cause: null });

  // A day whose deadline has passed for certain is watched and was lost.
  const day = daysAgo(5);
  await app.database.query(`update coverage set state = 'missing' where connection_id = $1 and day = $2`, [connection.id, day]);
  await app.database.query(
    `insert into freshness_days (organization_id, connection_id, day, due_at, check_at) values ($1, $2, $3, now(), now())`,
    [organization.id, connection.id, day],
  );
  await app.get(CheckDeadlines).check(new Date());
  await untilEventsDelivered(app);
  await eventually(() => Promise.resolve(received()), (all) => all.includes(`freshness.late ${day}`)); // prettier-ignore
  expect((await freshness()).days.find((entry) => entry.day === day)).toMatchObject({ state: 'late', reasons: ['missing'] });
  expect((await alertsOf(organization)).items).toEqual([expect.objectContaining({ kind: 'connection.late', state: 'open' })]);

  expectStatus(await organization.call.post(`${connection.path}/run`), 202);
  await eventually(() => Promise.resolve(received()), (all) => all.includes(`freshness.recovered ${day}`)); // prettier-ignore
  await untilEventsDelivered(app);
  expect((await alertsOf(organization)).items).toEqual([
    expect.objectContaining({ kind: 'connection.late', state: 'recovered' }),
  ]);
  expect((await freshness()).days.find((entry) => entry.day === day)).toMatchObject({ isComplete: true, state: 'recovered' });
  expect((await alertMailsOf(app, organization.id)).map(({ name, subject }) => [name, subject])).toEqual([
    ['alert-opened', 'Search to warehouse is late (Northwind)'],
    ['alert-recovered', 'Search to warehouse is complete again (Northwind)'],
  ]);
  expect(received().filter((entry) => entry.endsWith(day))).toEqual([`freshness.late ${day}`, `freshness.recovered ${day}`]);
});

it('forgets days of more than 400 days ago, also late ones, which would be checked forever', async () => {
  const { id } = await aConnection();
  // A new target and the first run change the stored days.
  await eventually(() => app.database.query(`select from runs where connection_id = $1 and state = 'succeeded'`, [id]), (runs) => runs.length > 0); // prettier-ignore
  await untilEventsDelivered(app);
  for (const day of [daysAgo(402), daysAgo(399)])
    await app.database.query(
      `insert into freshness_days (organization_id, connection_id, day, due_at, check_at, state)
       values ($1, $2, $3, now(), now() + interval '1 day', 'late')`,
      [organization.id, id, day],
    );
  await app.database.query(`select graphile_worker.add_job('forget-freshness-days', '{}')`);
  const old = () =>
    app.database.query<{ day: string }>(
      'select day::text from freshness_days where connection_id = $1 and day < current_date - 100',
      [id],
    );
  expect(await eventually(old, (days) => days.length < 2)).toEqual([{ day: daysAgo(399) }]);
});
