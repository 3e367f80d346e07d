import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertsOf } from '../../../test/alerts.js';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { moveClock } from '../../../test/clock.js';
import { anOrganization, type Connection, expectStatus, type Organization } from '../../../test/factories.js';
import { aStoredConnection, BERLIN, LOS_ANGELES, readDays } from '../../../test/freshness.js';
import type { FreshnessEntry } from '../freshness.dto.js';
import { CheckDeadlines } from './check-deadlines.js';
import { WatchFreshness } from './watch-freshness.js';

interface Delivery {
  type: string;
  data: { day: string; expected: number; complete: number; deadline: string; missing: { accountName: string }[] };
}

let app: TestApp;
let organization: Organization;
let connection: Connection;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  const endpoint = { kind: 'signed', name: 'Orchestrator', url: 'https://127.0.0.1:1/hook' };
  const made = await organization.call.post<{ endpoint: { id: string } }>(`${organization.path}/webhook-endpoints`, endpoint);
  const events = ['freshness.complete', 'freshness.late', 'freshness.recovered'];
  const rule = { channel: 'webhook', events, endpointId: expectStatus(made, 201).body.endpoint.id };
  expectStatus(await organization.call.post(`${organization.path}/notification-rules`, rule), 201);
  connection = await aStoredConnection(app, organization, [BERLIN, LOS_ANGELES]);
});
afterEach(() => moveClock(0));

/** Yesterday is due at 12:00 in Berlin: 11:00 UTC in November. The day ends in Los Angeles at 08:00 UTC. */
const TARGET = { atTime: '12:00', timeZone: 'Europe/Berlin' };

/** The target is set at `moment`, and the first days to watch are stored. */
async function watchFrom(moment: string, target: object | null = TARGET): Promise<void> {
  const { body } = await organization.call.get<{ version: number }>(connection.path);
  expectStatus(await organization.call.patch(connection.path, { freshnessTarget: target, version: body.version }), 200);
  await app.get(WatchFreshness).restart(organization.id, connection.id, new Date(moment));
}
const checkDeadlines = (moment: string) => app.get(CheckDeadlines).check(new Date(moment));
/** Handles the events that say that days of the connection are not watched as before. */
async function handleChanges(moment: string): Promise<void> {
  const events = await app.database.query(
    `delete from graphile_worker._private_jobs
      where payload->>'name' = 'freshness.target_changed' and payload->'data'->>'connectionId' = $1 returning id`,
    [connection.id],
  );
  if (events.length > 0) await app.get(WatchFreshness).restart(organization.id, connection.id, new Date(moment));
}
/** A run has ended. */
const check = (moment: string) => app.get(WatchFreshness).check(organization.id, connection.id, new Date(moment));
const load = async (days: string[], readAt: string) => {
  for (const { id: accountId } of [BERLIN, LOS_ANGELES]) await readDays(app, connection, { accountId, days, readAt });
};
const deliveries = async (): Promise<Delivery[]> => {
  const rows = await app.database.query<{ payload: Delivery }>(
    'select payload from webhook_deliveries where organization_id = $1 order by id',
    [organization.id],
  );
  return rows.map(({ payload }) => payload);
};
const sent = async () => (await deliveries()).map(({ type, data }) => `${type} ${data.day}`);
const alerts = async () => (await alertsOf(organization)).items.map(({ kind, state }) => `${kind} ${state}`);

describe('a watched day', () => {
  it('that is complete before its deadline is notified once, and is on time', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await load(['2026-11-10'], '2026-11-11T09:00:00Z');
    await check('2026-11-11T09:01:00Z');
    await check('2026-11-11T09:02:00Z');
    await checkDeadlines('2026-11-11T11:00:00Z');
    await checkDeadlines('2026-11-11T23:00:00Z');
    expect(await sent()).toEqual(['freshness.complete 2026-11-10']);
    expect(await alerts()).toEqual([]);
    moveClock((Date.parse('2026-11-11T12:00:00Z') - Date.now()) / 86_400_000);
    const { body } = await organization.call.get<FreshnessEntry>(`${connection.path}/freshness`);
    expect(body).toMatchObject({ day: '2026-11-10', isComplete: true, state: 'on_time' });
    expect(body.days.at(-1)).toMatchObject({ deadline: '2026-11-11T11:00:00.000Z', completedAt: '2026-11-11T09:00:00.000Z' });
  });

  it('is late from the deadline on, opens one alert, and recovers automatically', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await readDays(app, connection, { accountId: 'berlin', days: ['2026-11-10'], readAt: '2026-11-11T09:00:00Z' });
    await checkDeadlines('2026-11-11T10:59:59Z');
    expect([await sent(), await alerts()]).toEqual([[], []]);
    await checkDeadlines('2026-11-11T11:00:00Z');
    expect([await sent(), await alerts()]).toEqual([['freshness.late 2026-11-10'], ['connection.late open']]);
    for (const moment of ['2026-11-11T11:01:00Z', '2026-11-11T11:20:00Z', '2026-11-11T20:00:00Z']) await checkDeadlines(moment);
    await check('2026-11-11T20:01:00Z');
    expect([await sent(), await alerts()]).toEqual([['freshness.late 2026-11-10'], ['connection.late open']]);
    expect((await deliveries())[0]?.data).toMatchObject({
      deadline: '2026-11-11T11:00:00.000Z',
      expected: 2,
      complete: 1,
      missing: [{ stream: 'campaign_daily', accountId: 'los-angeles', accountName: 'Northwind US', state: 'missing' }],
    });
    const [alert] = (await alertsOf(organization)).items;
    expect(alert).toMatchObject({
      title: 'Search is late',
      message:
        '1 of 2 account-days of 2026-11-10 is missing: campaign_daily of Northwind US. It was due at 2026-11-11 11:00 UTC.',
      action: 'Run the connection',
    });

    await load(['2026-11-10'], '2026-11-11T21:00:00Z');
    await check('2026-11-11T21:01:00Z');
    await check('2026-11-11T21:02:00Z');
    expect(await sent()).toEqual(['freshness.late 2026-11-10', 'freshness.recovered 2026-11-10']);
    expect(await alerts()).toEqual(['connection.late recovered']);
  });

  it('is notified once although many workers check at the same time', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await Promise.all(Array.from({ length: 8 }, () => checkDeadlines('2026-11-11T11:00:00Z')));
    await load(['2026-11-10'], '2026-11-11T12:00:00Z');
    await Promise.all(Array.from({ length: 8 }, () => check('2026-11-11T12:01:00Z')));
    expect(await sent()).toEqual(['freshness.late 2026-11-10', 'freshness.recovered 2026-11-10']);
    expect(await alerts()).toEqual(['connection.late recovered']);
  });

  it('is notified once although a worker crashes between its change and its notification', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await app.database.query(
      `create function crash() returns trigger language plpgsql as $$ begin raise exception 'crashed'; end $$`,
    );
    await app.database.query('create trigger crash before insert on webhook_deliveries execute function crash()');
    await checkDeadlines('2026-11-11T11:00:00Z');
    expect([await sent(), await alerts()]).toEqual([[], []]);
    await app.database.query('drop function crash cascade');
    await checkDeadlines('2026-11-11T11:01:00Z');
    await checkDeadlines('2026-11-11T11:02:00Z');
    expect([await sent(), await alerts()]).toEqual([['freshness.late 2026-11-10'], ['connection.late open']]);
  });

  it('is not forgotten while no worker runs', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await load(['2026-11-10'], '2026-11-11T09:00:00Z');
    await checkDeadlines('2026-11-14T12:00:00Z');
    expect(await sent()).toEqual([
      'freshness.complete 2026-11-10',
      'freshness.late 2026-11-11',
      'freshness.late 2026-11-12',
      'freshness.late 2026-11-13',
    ]);
    expect(await alerts()).toEqual(['connection.late open']);
    await load(['2026-11-11', '2026-11-12'], '2026-11-14T13:00:00Z');
    await check('2026-11-14T13:01:00Z');
    expect((await sent()).slice(4)).toEqual(['freshness.recovered 2026-11-11', 'freshness.recovered 2026-11-12']);
    expect(await alerts()).toEqual(['connection.late open']);
    await load(['2026-11-13'], '2026-11-14T14:00:00Z');
    await check('2026-11-14T14:01:00Z');
    expect(await alerts()).toEqual(['connection.late recovered']);
  });

  it('that was complete after its deadline, before anyone checked, has recovered', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await load(['2026-11-10'], '2026-11-11T11:30:00Z');
    await checkDeadlines('2026-11-11T11:31:00Z');
    expect(await sent()).toEqual(['freshness.complete 2026-11-10']);
    moveClock((Date.parse('2026-11-11T12:00:00Z') - Date.now()) / 86_400_000);
    expect((await organization.call.get<FreshnessEntry>(`${connection.path}/freshness`)).body.state).toBe('recovered');
  });

  it('never becomes late if its deadline passed while a user had paused the connection', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    expectStatus(await organization.call.post(`${connection.path}/pause`), 200);
    for (let day = 11; day <= 20; day += 1) await checkDeadlines(`2026-11-${day}T11:00:00Z`);
    expectStatus(await organization.call.post(`${connection.path}/resume`), 200);
    await checkDeadlines('2026-11-20T11:01:00Z');
    await check('2026-11-20T11:30:00Z');
    expect([await sent(), await alerts()]).toEqual([[], []]);
    await load(['2026-11-18'], '2026-11-20T12:00:00Z');
    await check('2026-11-20T12:01:00Z');
    await checkDeadlines('2026-11-21T11:00:00Z');
    expect(await sent()).toEqual(['freshness.complete 2026-11-18', 'freshness.late 2026-11-20']);
  });

  it('never becomes late while an imported connection waits for its apps', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await app.database.query(
      `update connections set desired = 'paused', paused_reason = 'import', paused_at = now() where id = $1`,
      [connection.id],
    );
    moveClock((Date.parse('2026-11-11T12:00:00Z') - Date.now()) / 86_400_000);
    const state = async () => (await organization.call.get<FreshnessEntry>(`${connection.path}/freshness`)).body.state;
    expect(await state()).toBe('incomplete');
    await checkDeadlines('2026-11-11T12:00:00Z');
    expect([await sent(), await alerts(), await state()]).toEqual([[], [], 'incomplete']);
  });

  it('becomes late if the connection was paused automatically', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await app.database.query(
      `update connections set desired = 'paused', paused_reason = 'failures', paused_at = now() where id = $1`,
      [connection.id],
    );
    await checkDeadlines('2026-11-11T11:00:00Z');
    expect(await sent()).toEqual(['freshness.late 2026-11-10']);
  });
});

describe('clock changes', () => {
  it('move the deadline of the day before them in UTC, not in local time', async () => {
    // Clocks go back on October 25 in Berlin. Los Angeles follows a week later.
    await watchFrom('2026-10-24T12:00:00Z');
    await checkDeadlines('2026-10-25T10:59:00Z');
    // 12:00 in Berlin is 10:00 UTC before the change and 11:00 UTC after it. October 23 was due before the target was set.
    expect(await sent()).toEqual([]);
    await checkDeadlines('2026-10-25T11:00:00Z');
    expect(await sent()).toEqual(['freshness.late 2026-10-24']);
  });

  it('do so in spring', async () => {
    await watchFrom('2026-03-28T12:00:00Z');
    await checkDeadlines('2026-03-29T09:59:00Z');
    expect(await sent()).toEqual([]);
    await checkDeadlines('2026-03-29T10:00:00Z');
    expect(await sent()).toEqual(['freshness.late 2026-03-28']);
  });
});

describe('a changed target', () => {
  it('ends the alert without a notification and watches the days whose deadline is ahead', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await checkDeadlines('2026-11-11T11:00:00Z');
    await watchFrom('2026-11-11T12:00:00Z', { atTime: '18:00', timeZone: 'Europe/Berlin' });
    expect(await alerts()).toEqual(['connection.late recovered']);
    await checkDeadlines('2026-11-11T17:00:00Z');
    expect(await sent()).toEqual(['freshness.late 2026-11-10', 'freshness.late 2026-11-10']);
  });

  it('that is removed is not watched any more', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await checkDeadlines('2026-11-11T11:00:00Z');
    await watchFrom('2026-11-11T12:00:00Z', null);
    await checkDeadlines('2026-11-20T12:00:00Z');
    expect([await sent(), await alerts()]).toEqual([['freshness.late 2026-11-10'], ['connection.late recovered']]);
  });

  it('is not watched while the organization is deleted, and later from the first deadline after it is restored', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    await handleChanges('2026-11-10T12:00:00Z');
    await checkDeadlines('2026-11-11T11:00:00Z');
    expectStatus(await organization.call.delete(`${organization.path}?confirmName=Northwind`), 204);
    await handleChanges('2026-11-11T12:00:00Z');
    expectStatus(await organization.call.post(`${organization.path}/restore`), 200);
    // The deadlines may be checked before the event of the restore is handled.
    await checkDeadlines('2026-11-21T12:00:00Z');
    await handleChanges('2026-11-21T12:00:00Z');
    await checkDeadlines('2026-11-21T12:01:00Z');
    expect([await sent(), await alerts()]).toEqual([['freshness.late 2026-11-10'], ['connection.late recovered']]);
    await checkDeadlines('2026-11-22T11:00:00Z');
    expect(await sent()).toEqual(['freshness.late 2026-11-10', 'freshness.late 2026-11-21']);
  });

  it('of a deleted connection is not watched', async () => {
    await watchFrom('2026-11-10T12:00:00Z');
    expectStatus(await organization.call.delete(connection.path), 204);
    await checkDeadlines('2026-11-11T11:00:00Z');
    expect(await sent()).toEqual([]);
  });
});

it('events of freshness cannot be sent by mail or in the app', async () => {
  for (const channel of ['mail', 'in_app']) {
    const body = { channel, events: ['freshness.late'], ...(channel === 'mail' && { roles: ['owner'] }) };
    const answer = await organization.call.post(`${organization.path}/notification-rules`, body);
    expect(expectStatus(answer, 400).body).toMatchObject({ errors: [{ field: 'events' }] });
  }
});
