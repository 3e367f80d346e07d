import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addFailedRuns, alertMailsOf, alertsOf, untilEventsDelivered } from '../../../test/alerts.js';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { moveClock } from '../../../test/clock.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { aConnectedApp, aConnection, anOrganization, aSource, authorize, type Connection, eventually, expectStatus, type Organization } from '../../../test/factories.js'; // prettier-ignore
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { ConnectionEntry } from '../connections.dto.js';
import { AutomaticPause } from './automatic-pause.js';
import { verdictOn } from './pause-rules.js';

const HOUR = 60;
const DAY = 24 * HOUR;

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let organization: Organization;
let appId: string;
let connection: Connection;

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
  organization = await anOrganization(app);
  appId = await aConnectedApp(organization);
  const sourceId = await aSource(organization, { appId });
  connection = await aConnection(organization, warehouse, { sourceId, historyDays: 2, streams: ['campaign_daily'] });
  await runEnds();
  // The successful run was before the failed ones.
  await app.database.query(
    `update runs set queued_at = queued_at - interval '30 days', ended_at = ended_at - interval '30 days'`,
  );
});
afterEach(() => moveClock(0));

const runEnds = () =>
  eventually(
    async () => (await organization.call.get<ConnectionEntry>(connection.path)).body,
    ({ lastRun, activeRun }) => lastRun !== null && activeRun === null,
  );
const read = async () => (await organization.call.get<ConnectionEntry>(connection.path)).body;
/** The event of the last failed run, delivered as by the queue. */
async function fail(): Promise<void> {
  const data = { organizationId: organization.id, connectionId: connection.id };
  await app.get(TenantDatabase).transaction(organization.id, (query) => app.get(DomainEvents).emit(query, 'run.failed', data));
  await untilEventsDelivered(app);
}
const openKinds = async () => (await alertsOf(organization, '?state=open')).items.map(({ kind }) => kind);
const mails = async () => (await alertMailsOf(app, organization.id)).map(({ heading }) => heading);

describe('a connection', () => {
  it('is neither warned of nor paused below the limits', async () => {
    await addFailedRuns(app, connection.id, 19, HOUR);
    await fail();
    expect(await openKinds()).toEqual([]);
    expect(await read()).toMatchObject({ desired: 'active', pause: null });
  });

  it('is warned of once after 20 failed runs in a row, and paused once after 30', async () => {
    await addFailedRuns(app, connection.id, 20, 5);
    await fail();
    await fail();
    expect(await openKinds()).toEqual(['connection.pause_pending']);
    expect(await mails()).toEqual(['Search to warehouse will be paused soon']);
    await addFailedRuns(app, connection.id, 10, 1);
    await Promise.all([fail(), fail(), fail()]);
    expect(await openKinds()).toEqual(['connection.paused']);
    expect(await mails()).toEqual(['Search to warehouse will be paused soon', 'Search to warehouse was paused automatically']);
    expect(await read()).toMatchObject({
      desired: 'paused',
      health: 'paused',
      healthReason: 'Paused after too many failed runs',
      nextRunAt: null,
      pause: { reason: 'failures', by: null, failure: { code: 'google_ads.denied', action: 'Grant access' } },
    });
    const audit = await organization.call.get<{ items: object[] }>(`${organization.path}/audit-events?action=connection.paused`);
    expect(audit.body.items).toEqual([expect.objectContaining({ actorKind: 'system' })]);
    const [coverage] = await app.database.query<{ count: string }>('select count(*) from coverage where connection_id = $1', [
      connection.id,
    ]);
    expect(Number(coverage?.count)).toBeGreaterThan(0);
  });

  it('is warned of after 4 days and paused after 7, however few runs failed', async () => {
    await addFailedRuns(app, connection.id, 2, DAY);
    moveClock(3.1);
    await fail();
    expect(await openKinds()).toEqual(['connection.pause_pending']);
    moveClock(5.9);
    await fail();
    expect(await read()).toMatchObject({ desired: 'active' });
    moveClock(6.1);
    await fail();
    expect(await read()).toMatchObject({ desired: 'paused', pause: { reason: 'failures' } });
  });

  it('that a user resumed is not paused again by the failures before', async () => {
    await addFailedRuns(app, connection.id, 30, 1);
    await fail();
    expect(await openKinds()).toEqual(['connection.paused']);
    expectStatus(await organization.call.post(`${connection.path}/resume`), 200);
    await runEnds();
    expect(await openKinds()).toEqual([]);
    await app.database.query(
      `update runs set queued_at = now() - interval '30 days' where connection_id = $1 and state = 'succeeded'`,
      [connection.id],
    );
    await addFailedRuns(app, connection.id, 1, 0);
    await fail();
    expect(await read()).toMatchObject({ desired: 'active', pause: null });
  });

  it('paused by a user says so, and is not paused a second time', async () => {
    expectStatus(await organization.call.post(`${connection.path}/pause`), 200);
    await addFailedRuns(app, connection.id, 30, 1);
    await fail();
    expect(await read()).toMatchObject({ pause: { reason: 'user', by: expect.any(String), failure: null } });
    expect(await openKinds()).toEqual([]);
  });

  it('that is paused still shows that it needs reauthentication, and resumes after the reconnect', async () => {
    await sandbox.addFault({ fault: 'revoke', user: 'demo@example.com' });
    expectStatus(await organization.call.post(`${connection.path}/run`), 202);
    await runEnds();
    await app.database.query(
      `insert into runs (organization_id, id, connection_id, kind, trigger, state, failure, queued_at, ended_at)
       select r.organization_id, gen_random_uuid(), r.connection_id, r.kind, r.trigger, r.state, r.failure, r.queued_at, r.ended_at
         from runs r, generate_series(1, 30) where r.connection_id = $1 and r.state = 'failed'`,
      [connection.id],
    );
    await fail();
    expect(await read()).toMatchObject({
      desired: 'paused',
      health: 'needs_reauth',
      healthReason: 'Paused. Google no longer accepts the stored access',
      pause: { reason: 'failures', failure: { class: 'auth' } },
    });
    await sandbox.clearFaults();
    expectStatus(await authorize(organization, appId), 200);
    await untilEventsDelivered(app);
    expect(await runEnds()).toMatchObject({ desired: 'active', pause: null });
    await eventually(read, ({ health }) => health === 'healthy'); // prettier-ignore
    await untilEventsDelivered(app);
    expect(await openKinds()).toEqual([]);
  });

  it('is cancelled after the pause if its worker crashed between', async () => {
    await addFailedRuns(app, connection.id, 30, 1);
    await fail();
    await app.database.query(
      `insert into runs (organization_id, id, connection_id, kind, trigger) values ($1, gen_random_uuid(), $2, 'catch_up', 'reconnect')`,
      [organization.id, connection.id],
    );
    await app.get(AutomaticPause).check(organization.id, connection.id, new Date());
    expect((await read()).activeRun).toBeNull();
  });
});

it.each<[number, number, string]>([
  [19, 3.99, 'none'],
  [20, 0, 'warn'],
  [1, 4, 'warn'],
  [29, 6.99, 'warn'],
  [30, 0, 'pause'],
  [2, 7, 'pause'],
  [0, 30, 'none'],
])('%i failures over %d days: %s', (failures, days, verdict) => {
  const now = new Date('2026-11-24T12:00:00Z');
  expect(verdictOn({ failures, failingSince: new Date(now.getTime() - days * 86_400_000) }, now)).toBe(verdict);
});
