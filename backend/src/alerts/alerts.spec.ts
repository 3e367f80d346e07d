import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addFailedRuns, alertMailsOf, alertsOf, untilEventsDelivered } from '../../test/alerts.js';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aConnectedApp, aConnection, anOrganization, aSource, authorize, type Connection, daysAgo, eventually, expectStatus, type Organization } from '../../test/factories.js'; // prettier-ignore
import { tokenFor } from '../../test/http.js';
import { openStream } from '../../test/streams.js';
import { aMember } from '../../test/teams.js';
import { AuthorizedApps } from '../apps/credentials/authorized-apps.service.js';
import { ReconnectNeeded } from '../connectors/kit/errors.js';
import { publishLive } from '../core/database/notifications.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { RunAlerts } from '../sync/ledger/run-alerts.js';
import { Alerts } from './alerts.service.js';
import { NotifyAlert } from './notify/notify-alert.js';

let sandbox: Sandbox;
let warehouse: Warehouse;
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
  warehouse = await startWarehouse();
  organization = await anOrganization(app);
  return () => warehouse.stop();
});

const stateOf = async (connection: Connection) => {
  const { body } = await organization.call.get<{ items: { state: string; endedAt: string | null }[] }>(
    `${organization.path}/runs?connectionId=${connection.id}&limit=1`,
  );
  return body.items[0]!;
};
const runEnds = (connection: Connection) => eventually(() => stateOf(connection), ({ endedAt }) => endedAt !== null); // prettier-ignore
async function runNow(connection: Connection): Promise<string> {
  expectStatus(await organization.call.post(`${connection.path}/run`), 202);
  return (await runEnds(connection)).state;
}
async function aLoadedConnection(appId?: string, accountIds?: string[]): Promise<Connection> {
  const sourceId = await aSource(organization, { ...(appId && { appId }), ...(accountIds && { accountIds }) });
  const connection = await aConnection(organization, warehouse, { sourceId, historyDays: 2, streams: ['campaign_daily'] });
  expect((await runEnds(connection)).state).toBe('succeeded');
  return connection;
}
const mailNames = async () => (await alertMailsOf(app, organization.id)).map(({ name }) => name);

describe('a run that fails', () => {
  it('opens one alert that keeps the newest cause, notifies once, and recovers when a later run succeeds', async () => {
    const connection = await aLoadedConnection();
    await sandbox.addFault({ fault: 'not_enabled', customerId: '9001000011' });
    expect(await runNow(connection)).toBe('failed');
    expect(await runNow(connection)).toBe('failed');
    await untilEventsDelivered(app);
    const { items, counts } = await alertsOf(organization);
    expect(items).toEqual([
      expect.objectContaining({
        kind: 'connection.failing',
        state: 'open',
        subject: { type: 'connection', id: connection.id, name: 'Search to warehouse', paymentId: null },
        title: 'Search to warehouse is failing',
        class: expect.stringMatching(/\w/),
        message: expect.stringMatching(/\w/),
        action: expect.stringMatching(/\w/),
      }),
    ]);
    expect(counts).toEqual({ open: 1, acknowledged: 0, badge: 1 });
    expect(await mailNames()).toEqual(['alert-opened']);

    await sandbox.clearFaults();
    expect(await runNow(connection)).toBe('succeeded');
    await untilEventsDelivered(app);
    expect((await alertsOf(organization, '?state=recovered')).items).toEqual([
      expect.objectContaining({ title: 'Search to warehouse works again', recoveredAt: expect.any(String), isClosed: false }),
    ]);
    expect((await alertsOf(organization)).counts).toEqual({ open: 0, acknowledged: 0, badge: 0 });
    expect(await mailNames()).toEqual(['alert-opened', 'alert-recovered']);
    const [opened] = await alertMailsOf(app, organization.id);
    expect(opened).toMatchObject({
      to: organization.owner.email,
      subject: 'Search to warehouse is failing (Northwind)',
      button: { url: `http://localhost:3000/${organization.id}/connection/${connection.id}/configuration` },
    });
  });

  it('because of an ended sign-in opens one alert for the app, whatever the number of connections', async () => {
    const appId = await aConnectedApp(organization);
    const [first, second] = [await aLoadedConnection(appId), await aLoadedConnection(appId)];
    await sandbox.addFault({ fault: 'revoke', user: 'demo@example.com' });
    expect(await runNow(first)).toBe('failed');
    expect(await runNow(second)).toBe('failed');
    await untilEventsDelivered(app);
    expect((await alertsOf(organization)).items).toEqual([
      expect.objectContaining({ kind: 'app.needs_reauth', class: 'auth', subject: expect.objectContaining({ id: appId }) }),
    ]);
    expect(await mailNames()).toEqual(['alert-opened']);

    expectStatus(await authorize(organization, appId), 200);
    await untilEventsDelivered(app);
    expect((await alertsOf(organization)).items).toEqual([expect.objectContaining({ state: 'recovered' })]);
    expect(await mailNames()).toEqual(['alert-opened', 'alert-recovered']);
  });

  it('because of its destination opens one alert for the destination, which recovers when rows arrive', async () => {
    const loader = `loader_${organization.id.slice(-12)}`;
    await warehouse.query(`create role ${loader} login password 'loader'`);
    await warehouse.query(`grant all on schema public to ${loader}`);
    warehouse = { ...warehouse, settings: { ...warehouse.settings, user: loader, password: 'loader' } };
    const connection = await aLoadedConnection();
    await warehouse.query(`revoke all on schema public from ${loader}, public`);
    expect(await runNow(connection)).toBe('failed');
    const { items, counts } = await alertsOf(organization);
    expect(items[0]).toMatchObject({ kind: 'destination.unreachable', state: 'open' });
    expect(counts.open).toBe(1);
    await warehouse.query(`grant all on schema public to ${loader}`);
    expect(await runNow(connection)).toBe('succeeded');
    await eventually(() => alertsOf(organization), (page) => page.counts.open === 0); // prettier-ignore
    await warehouse.query(`drop owned by ${loader} cascade`);
    await warehouse.query(`drop role ${loader}`);
  });
});

describe('a run that verifies only some accounts', () => {
  const ACCOUNTS = ['9001000011', '9001000012'];
  const kindsOf = async () => (await alertsOf(organization)).items.map(({ kind, state }) => `${kind} ${state}`);

  it('opens one alert that names the first account without verified rows, and recovers when all are verified', async () => {
    const connection = await aLoadedConnection(undefined, ACCOUNTS);
    await sandbox.addFault({ fault: 'not_enabled', customerId: ACCOUNTS[1] });
    expect(await runNow(connection)).toBe('partial');
    expect(await runNow(connection)).toBe('partial');
    await untilEventsDelivered(app);
    const { items, counts } = await alertsOf(organization);
    expect(items).toEqual([
      expect.objectContaining({
        kind: 'connection.partial',
        state: 'open',
        subject: { type: 'connection', id: connection.id, name: 'Search to warehouse', paymentId: null },
        title: 'Search to warehouse is only partly verified',
        class: 'permission',
        message: expect.stringContaining('Northwind US'),
        action: expect.stringMatching(/\w/),
      }),
    ]);
    expect(counts).toEqual({ open: 1, acknowledged: 0, badge: 1 });
    expect(await mailNames()).toEqual(['alert-opened']);

    await sandbox.clearFaults();
    expect(await runNow(connection)).toBe('succeeded');
    await untilEventsDelivered(app);
    expect((await alertsOf(organization)).items).toEqual([
      expect.objectContaining({ state: 'recovered', title: 'Search to warehouse is fully verified again' }),
    ]);
    expect(await mailNames()).toEqual(['alert-opened', 'alert-recovered']);
  });

  it('because its destination lost rows opens an alert with the number of rows', async () => {
    const connection = await aLoadedConnection(undefined, ACCOUNTS);
    await warehouse.query(`create function lose() returns trigger language plpgsql as
      $$ begin return case when new.account_id = '${ACCOUNTS[1]}' then null else new end; end $$`);
    await warehouse.query(`create trigger lose before insert on google_ads_campaign_daily for each row execute function lose()`);
    for (const customerId of ACCOUNTS) await sandbox.addFault({ fault: 'restate', customerId, from: daysAgo(2), to: daysAgo(1) });
    expect(await runNow(connection)).toBe('partial');
    expect((await alertsOf(organization)).items).toEqual([
      expect.objectContaining({ kind: 'connection.partial', code: 'sync.mismatch', message: expect.stringMatching(/\d+ rows/) }),
    ]);
  });

  it('replaces the alert of a failing connection, and is replaced by it, without a recovery', async () => {
    const connection = await aLoadedConnection(undefined, ACCOUNTS);
    for (const customerId of ACCOUNTS) await sandbox.addFault({ fault: 'not_enabled', customerId });
    expect(await runNow(connection)).toBe('failed');
    expect(await kindsOf()).toEqual(['connection.failing open']);
    await sandbox.clearFaults();
    await sandbox.addFault({ fault: 'not_enabled', customerId: ACCOUNTS[1] });
    expect(await runNow(connection)).toBe('partial');
    expect(await kindsOf()).toEqual(['connection.partial open', 'connection.failing recovered']);
    await sandbox.addFault({ fault: 'not_enabled', customerId: ACCOUNTS[0] });
    expect(await runNow(connection)).toBe('failed');
    expect(await kindsOf()).toEqual(['connection.failing open', 'connection.partial recovered', 'connection.failing recovered']);
    expect((await alertsOf(organization)).items.map(({ title, isClosed }) => [title, isClosed])).toEqual([
      ['Search to warehouse is failing', false],
      ['Search to warehouse is only partly verified', true],
      ['Search to warehouse is failing', true],
    ]);
    await untilEventsDelivered(app);
    expect(await mailNames()).toEqual(['alert-opened', 'alert-opened', 'alert-opened']);
  });

  it('opens no alert beside the one of its app', async () => {
    const appId = await aConnectedApp(organization);
    const connection = await aLoadedConnection(appId, ACCOUNTS);
    const failure = { class: 'auth', code: 'test.ended', message: 'It has ended.', action: 'Sign in again' };
    await app
      .get(TenantDatabase)
      .transaction(organization.id, (query) =>
        app.get(Alerts).open(query, organization.id, { kind: 'app.needs_reauth', subjectId: appId, failure }),
      );
    await sandbox.addFault({ fault: 'not_enabled', customerId: ACCOUNTS[1] });
    expect(await runNow(connection)).toBe('partial');
    expect(await kindsOf()).toEqual(['app.needs_reauth open']);
  });

  it('keeps the alert of a failing connection while the one of its app prevents another, and its recovery is notified', async () => {
    const appId = await aConnectedApp(organization);
    const connection = await aLoadedConnection(appId);
    const failure = { class: 'auth', code: 'test.ended', message: 'It has ended.', action: 'Sign in again', providerRequestId: null } as const; // prettier-ignore
    const run = { organizationId: organization.id, connectionId: connection.id };
    const [alerts, runs, tenants] = [app.get(Alerts), app.get(RunAlerts), app.get(TenantDatabase)];
    await tenants.transaction(organization.id, async (query) => {
      await runs.failed(query, run, failure);
      await alerts.open(query, organization.id, { kind: 'app.needs_reauth', subjectId: appId, failure });
      await runs.partial(query, run, failure);
    });
    expect(await kindsOf()).toEqual(['app.needs_reauth open', 'connection.failing open']);
    expect(await runNow(connection)).toBe('succeeded');
    await untilEventsDelivered(app);
    expect((await alertMailsOf(app, organization.id)).map(({ heading }) => heading)).toContain('Search to warehouse works again');
  });
});

describe('an alert', () => {
  const aFailingConnection = async (): Promise<Connection> => {
    const connection = await aLoadedConnection();
    const failure = { class: 'data', code: 'test.failed', message: 'It failed.', action: 'Look into it' };
    const alert = { kind: 'connection.failing', subjectId: connection.id, failure } as const;
    const open = () =>
      app.get(TenantDatabase).transaction(organization.id, (query) => app.get(Alerts).open(query, organization.id, alert));
    await Promise.all(Array.from({ length: 8 }, open));
    return connection;
  };

  it('is opened once by concurrent failures, and notified once by concurrent jobs', async () => {
    await aFailingConnection();
    const { items } = await alertsOf(organization);
    expect(items).toHaveLength(1);
    await Promise.all(Array.from({ length: 8 }, () => app.get(NotifyAlert).notify(organization.id, items[0]!.id)));
    await untilEventsDelivered(app);
    expect(await mailNames()).toEqual(['alert-opened']);
  });

  it('is announced to open pages when it opens and when its cause changes, not when the same failure repeats', async () => {
    const stream = await openStream(app, organization.path, tokenFor(organization.owner));
    const subjectId = randomUUID();
    const open = (message: string) =>
      app.get(TenantDatabase).transaction(organization.id, (query) =>
        app.get(Alerts).open(query, organization.id, {
          kind: 'connection.failing',
          subjectId,
          failure: { class: 'data', code: 'test.failed', message, action: 'Look into it' },
        }),
      );
    for (const message of ['The first.', 'The first.', 'The second.']) await open(message);
    try {
      // Events arrive in the order of their transactions: after this one, no announcement is outstanding.
      await app
        .get(TenantDatabase)
        .transaction(organization.id, (query) => publishLive(query, [{ connectionId: null, type: 'members', data: {} }]));
      await eventually(async () => stream.text(), (text) => text.includes('event: members')); // prettier-ignore
      expect(stream.text().match(/event: alert/g)).toHaveLength(2);
      expect((await alertsOf(organization)).items).toEqual([expect.objectContaining({ message: 'The second.' })]);
    } finally {
      stream.close();
    }
  });

  it('is not stored if the change that caused it is rolled back', async () => {
    const connection = await aLoadedConnection();
    const failure = { class: 'data', code: 'test.failed', message: 'It failed.', action: 'Look into it' };
    const crash = app.get(TenantDatabase).transaction(organization.id, async (query) => {
      await app.get(Alerts).open(query, organization.id, { kind: 'connection.failing', subjectId: connection.id, failure });
      throw new Error('crash before the commit');
    });
    await expect(crash).rejects.toThrow('crash');
    await untilEventsDelivered(app);
    expect((await alertsOf(organization)).items).toEqual([]);
    expect(await mailNames()).toEqual([]);
  });

  it('that recovered before its opening was notified gets both notifications, in order', async () => {
    const connection = await aLoadedConnection();
    const failure = { class: 'data', code: 'test.failed', message: 'It failed.', action: 'Look into it' };
    await app.get(TenantDatabase).transaction(organization.id, async (query) => {
      await app.get(Alerts).open(query, organization.id, { kind: 'connection.failing', subjectId: connection.id, failure });
      await app.get(Alerts).recover(query, organization.id, connection.id, ['connection.failing']);
    });
    await untilEventsDelivered(app);
    expect(await mailNames()).toEqual(['alert-opened', 'alert-recovered']);
  });

  it('is acknowledged by editors only, leaves the badge, and can be acknowledged again', async () => {
    await aFailingConnection();
    const [editor, viewer] = [await aMember(app, organization, 'editor'), await aMember(app, organization, 'viewer')];
    const [alert] = (await alertsOf(organization)).items;
    const path = `${organization.path}/alerts/${alert?.id}/acknowledge`;
    expectStatus(await viewer.call.post(path), 403);
    expectStatus(await organization.call.post(`${organization.path}/alerts/${organization.id}/acknowledge`), 404);
    for (const attempt of [1, 2]) {
      const { body } = expectStatus(await editor.call.post(path), 200);
      expect({ attempt, ...body }).toMatchObject({ attempt, state: 'acknowledged', acknowledgedBy: expect.any(String) });
    }
    expect((await alertsOf(organization)).counts).toEqual({ open: 0, acknowledged: 1, badge: 0 });
    const audit = await organization.call.get<{ items: object[] }>(`${organization.path}/audit-events?action=alert.acknowledged`);
    expect(audit.body.items).toHaveLength(1);
  });

  it('of another organization is missing', async () => {
    await aFailingConnection();
    const [alert] = (await alertsOf(organization)).items;
    const other = await anOrganization(app);
    expectStatus(await other.call.post(`${other.path}/alerts/${alert?.id}/acknowledge`), 404);
    expect((await alertsOf(other)).items).toEqual([]);
  });

  it('ends without a notification and without a claim of a recovery when its subject is deleted', async () => {
    const connection = await aFailingConnection();
    await untilEventsDelivered(app);
    expectStatus(await organization.call.delete(connection.path), 204);
    const { items, counts } = await alertsOf(organization);
    expect(counts.open).toBe(0);
    expect(items).toEqual([
      expect.objectContaining({ state: 'recovered', isClosed: true, title: expect.stringMatching(/ is failing$/) }),
    ]);
    await untilEventsDelivered(app);
    expect(await mailNames()).toEqual(['alert-opened']);
  });

  it('is mailed to owners and admins, not to other or disabled members', async () => {
    const admin = await aMember(app, organization, 'admin');
    const disabled = await aMember(app, organization, 'admin');
    await aMember(app, organization, 'editor');
    await app.database.query('update users set disabled_at = now() where uid = $1', [disabled.user.uid]);
    await aFailingConnection();
    await untilEventsDelivered(app);
    const recipients = (await alertMailsOf(app, organization.id)).map(({ to }) => to);
    expect(recipients.toSorted()).toEqual([admin.user.email, organization.owner.email].toSorted());
  });

  it('of an app is opened once by concurrent rejections of its token', async () => {
    const appId = await aConnectedApp(organization);
    const [row] = await app.database.query<{ version: number }>('select version from apps where id = $1', [appId]);
    const error = new ReconnectNeeded({ code: 'google_ads.revoked', message: 'Revoked.', action: 'Reconnect with Google Ads' });
    const mark = () =>
      app.get(AuthorizedApps).markNeedsReauth({ organizationId: organization.id, id: appId, version: row?.version ?? 0 }, error);
    await Promise.all(Array.from({ length: 6 }, mark));
    await untilEventsDelivered(app);
    expect((await alertsOf(organization)).counts.open).toBe(1);
    expect(await mailNames()).toEqual(['alert-opened']);
  });
});

it('the list of alerts is paginated, newest first', async () => {
  const connection = await aLoadedConnection();
  await addFailedRuns(app, connection.id, 1, 1);
  await app.database.query(
    `insert into alerts (organization_id, id, kind, subject_type, subject_id, failure_class, code, message, action, recovered_at)
     select $1, ('0192f0c1-7a5e-7c3a-9f1e-' || lpad(number::text, 12, '0'))::uuid, 'connection.failing', 'connection', $2, 'data',
            'test', 'It failed.', 'None', now() from generate_series(1, 5) number`,
    [organization.id, connection.id],
  );
  const first = await alertsOf(organization, '?limit=3');
  const second = await alertsOf(organization, `?limit=3&cursor=${first.nextCursor}`);
  expect([...first.items, ...second.items].map(({ id }) => Number(id.slice(-1)))).toEqual([5, 4, 3, 2, 1]);
  expect(second.nextCursor).toBeNull();
});
