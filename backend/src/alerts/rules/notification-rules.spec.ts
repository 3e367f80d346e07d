import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertMailsOf, alertsOf, untilEventsDelivered } from '../../../test/alerts.js';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, expectStatus, type Organization } from '../../../test/factories.js';
import { aStoredConnection, BERLIN } from '../../../test/freshness.js';
import { aMember, anInvitation, outboxOf } from '../../../test/teams.js';
import { addDays } from '../../connectors/kit/days.js';
import { Secrets } from '../../core/encryption/secrets.js';
import type { Mail } from '../../core/outbox/mail.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { alertKinds } from '../alert-kinds.js';
import { Alerts } from '../alerts.service.js';
import { WeeklySummary } from '../summary/weekly-summary.js';
import type { NotificationRuleEntry, NotificationRulePage } from './notification-rules.dto.js';

let app: TestApp;
let organization: Organization;
let path: string;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'all' });
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  path = `${organization.path}/notification-rules`;
});

const rules = async () => (await organization.call.get<NotificationRulePage>(path)).body.items;
const create = async (body: object): Promise<NotificationRuleEntry> =>
  expectStatus(await organization.call.post<NotificationRuleEntry>(path, body), 201).body;
const change = async (channel: string, body: object): Promise<void> => {
  const rule = (await rules()).find((one) => one.channel === channel)!;
  expectStatus(await organization.call.patch(`${path}/${rule.id}`, { ...body, version: rule.version }), 200);
};
const within = (work: (alerts: Alerts, query: Parameters<Alerts['open']>[0]) => Promise<void>) =>
  app.get(TenantDatabase).transaction(organization.id, (query) => work(app.get(Alerts), query));
async function openAlert(subjectId: string = randomUUID()): Promise<void> {
  const failure = { class: 'data', code: 'test.failed', message: 'It failed.', action: 'Look into it' };
  await within((alerts, query) => alerts.open(query, organization.id, { kind: 'connection.failing', subjectId, failure }));
  await untilEventsDelivered(app);
}
const recipients = async () => (await alertMailsOf(app, organization.id)).map(({ to, name }) => `${name} ${to}`);

describe('notification rules', () => {
  it('of a new organization are all alerts in the app, and by mail to owners and admins', async () => {
    expect(await rules()).toEqual([
      expect.objectContaining({ channel: 'in_app', events: alertKinds, isEnabled: true, includesRecovery: true }),
      expect.objectContaining({ channel: 'mail', events: alertKinds, roles: ['owner', 'admin'], endpoint: null }),
    ]);
  });

  it.each<[string, object, string]>([
    ['a mail to nobody', { channel: 'mail' }, 'roles'],
    ['roles of another channel', { channel: 'in_app', roles: ['owner'] }, 'roles'],
    ['a webhook without an endpoint', { channel: 'webhook' }, 'endpointId'],
    ['a missing endpoint', { channel: 'slack', endpointId: randomUUID() }, 'endpointId'],
    ['an endpoint of another channel', { channel: 'in_app', endpointId: randomUUID() }, 'endpointId'],
  ])('reject %s', async (_what, body, field) => {
    const answer = await organization.call.post(path, { events: ['connection.failing'], ...body });
    expect(expectStatus(answer, 400).body['errors']).toEqual([expect.objectContaining({ field })]);
  });

  it('treat a user who is no member like a missing one', async () => {
    const body = { channel: 'mail', events: ['connection.failing'], memberIds: ['nobody'] };
    expectStatus(await organization.call.post(path, body), 404);
  });

  it('are read by all members and changed by admins', async () => {
    const editor = await aMember(app, organization, 'editor');
    expectStatus(await editor.call.get(path), 200);
    const [rule] = await rules();
    expectStatus(await editor.call.patch(`${path}/${rule?.id}`, { isEnabled: false, version: 1 }), 403);
    expectStatus(await organization.call.patch(`${path}/${rule?.id}`, { isEnabled: false, version: 7 }), 409);
    expectStatus(await organization.call.delete(`${path}/${rule?.id}`), 204);
    expectStatus(await organization.call.delete(`${path}/${rule?.id}`), 404);
  });

  it('define who gets a mail; a person in two rules gets one', async () => {
    const viewer = await aMember(app, organization, 'viewer');
    await change('mail', { roles: ['viewer'] });
    await create({ channel: 'mail', events: ['connection.failing'], memberIds: [viewer.user.uid, organization.owner.uid] });
    await openAlert();
    expect((await recipients()).toSorted()).toEqual(
      [`alert-opened ${viewer.user.email}`, `alert-opened ${organization.owner.email}`].toSorted(),
    );
  });

  it.each(['is removed', 'leaves'])('no longer contain a member who %s, also if the member returns', async (how) => {
    const { user, call } = await aMember(app, organization, 'viewer');
    const mail = { channel: 'mail', events: ['connection.failing'] };
    const shared = await create({ ...mail, memberIds: [organization.owner.uid, user.uid] });
    const byRole = await create({ ...mail, roles: ['admin'], memberIds: [user.uid] });
    const own = await create({ ...mail, memberIds: [user.uid] });
    const members = `${organization.path}/members`;
    const ended = how === 'leaves' ? call.post(`${members}/leave`) : organization.call.delete(`${members}/${user.uid}`);
    expectStatus(await ended, 204);
    const left = (await rules()).map(({ id, roles, memberIds, version }) => ({ id, roles, memberIds, version }));
    expect(left.slice(2)).toEqual([
      { id: shared.id, roles: [], memberIds: [organization.owner.uid], version: 2 },
      { id: byRole.id, roles: ['admin'], memberIds: [], version: 2 },
    ]);
    const trail = await app.database.query(
      `select action, target_id as id from audit_events where organization_id = $1 and target_id = any($2) and action not like '%.created' order by target_id`,
      [organization.id, [shared.id, byRole.id, own.id]],
    );
    expect(trail).toEqual([
      { action: 'notification_rule.updated', id: shared.id },
      { action: 'notification_rule.updated', id: byRole.id },
      { action: 'notification_rule.deleted', id: own.id },
    ]);
    const invitationId = await anInvitation(organization, user.email, 'viewer');
    expectStatus(await call.post('/api/acceptInvitation', { invitationId }), 200);
    await openAlert();
    expect(await recipients()).toEqual([`alert-opened ${organization.owner.email}`]);
  });

  it('send nothing to an address that is not verified', async () => {
    const admin = await aMember(app, organization, 'admin');
    await app.database.query('update users set is_email_verified = false where uid = $1', [organization.owner.uid]);
    await openAlert();
    expect(await recipients()).toEqual([`alert-opened ${admin.user.email}`]);
  });

  it('can leave out recoveries, kinds of alerts, and everything', async () => {
    const subjectId = randomUUID();
    await change('mail', { includesRecovery: false });
    await openAlert(subjectId);
    await within((alerts, query) => alerts.recover(query, organization.id, subjectId, ['connection.failing']));
    await untilEventsDelivered(app);
    await change('mail', { events: ['app.needs_reauth'] });
    await openAlert();
    await change('mail', { events: ['connection.failing'], isEnabled: false });
    await openAlert();
    expect(await recipients()).toEqual([`alert-opened ${organization.owner.email}`]);
  });

  it('for the app define what the badge counts', async () => {
    await openAlert();
    expect((await alertsOf(organization)).counts).toMatchObject({ open: 1, badge: 1 });
    await change('in_app', { events: ['app.needs_reauth'] });
    expect((await alertsOf(organization)).counts).toMatchObject({ open: 1, badge: 0 });
  });
});

describe('the weekly summary', () => {
  /** A Monday at least a week after today, in UTC. */
  const monday = (): string => {
    const today = new Date();
    return addDays(today.toISOString().slice(0, 10), 14 - ((today.getUTCDay() + 6) % 7));
  };
  const summaries = async () => (await outboxOf(app, organization.id, 'weekly-summary')).length;
  const at = (time: string, day = monday()) => app.get(WeeklySummary).send(new Date(`${day}T${time}Z`));

  it('is sent to those who chose it, once a week, on Monday from 8:00, also by several workers', async () => {
    await at('12:00');
    expect(await summaries()).toBe(0);
    await create({ channel: 'mail', events: ['weekly.summary'], roles: ['owner'] });
    await at('23:59', addDays(monday(), -1));
    expect(await summaries()).toBe(1);
    await at('07:59');
    expect(await summaries()).toBe(1);
    await Promise.all([at('08:00'), at('08:00'), at('08:01'), at('12:00')]);
    await at('20:00', addDays(monday(), 3));
    expect(await summaries()).toBe(2);
    await at('08:00', addDays(monday(), 7));
    expect(await summaries()).toBe(3);
  });

  it('follows the time zone of the organization, and is not sent in the week in which it was chosen', async () => {
    await create({ channel: 'mail', events: ['weekly.summary'], roles: ['owner'] });
    await app.get(WeeklySummary).send(new Date());
    expect(await summaries()).toBe(0);
    await app.database.query(`update notification_rules set summarized_week = $2::date where organization_id = $1`, [
      organization.id,
      addDays(monday(), -7),
    ]);
    await app.database.query(`update organizations set time_zone = 'America/Los_Angeles' where id = $1`, [organization.id]);
    await at('14:00');
    expect(await summaries()).toBe(0);
    await at('16:30');
    expect(await summaries()).toBe(1);
  });

  it('of a rule that is changed to send it, or enabled again, begins with the next week', async () => {
    await app.database.query(`update notification_rules set summarized_week = '2026-01-01' where organization_id = $1`, [
      organization.id,
    ]);
    await change('mail', { events: ['weekly.summary'] });
    await app.get(WeeklySummary).send(new Date());
    expect(await summaries()).toBe(0);
    await change('mail', { isEnabled: false });
    await app.database.query(`update notification_rules set summarized_week = '2026-01-01' where organization_id = $1`, [
      organization.id,
    ]);
    await change('mail', { isEnabled: true });
    await app.get(WeeklySummary).send(new Date());
    expect(await summaries()).toBe(0);
    await at('08:00');
    expect(await summaries()).toBe(1);
  });

  it('counts partly verified and unverified runs, and payments apart from connections', async () => {
    const connection = await aStoredConnection(app, organization, [BERLIN]);
    const add = (state: string, count: number) =>
      app.database.query(
        `insert into runs (organization_id, id, connection_id, kind, trigger, state, queued_at, ended_at)
         select $1, gen_random_uuid(), $2, 'scheduled', 'schedule', $3::run_state, $4, $4 from generate_series(1, $5::int)`,
        [organization.id, connection.id, state, `${addDays(monday(), -3)}T10:00:00Z`, count],
      );
    await add('succeeded', 4);
    await add('partial', 3);
    await add('unverified', 2);
    await add('failed', 1);
    await create({ channel: 'mail', events: ['weekly.summary'], roles: ['owner'] });
    await at('08:00');
    const [mail] = await app.database.query<{ content: string }>(
      `select content from outbox_messages where organization_id = $1 and name = 'weekly-summary'`,
      [organization.id],
    );
    const { paragraphs } = app.get(Secrets).unwrap('outbox', mail!.content) as Mail;
    expect(paragraphs[0]).toBe(
      'Runs of 1 connection (0 paused): 4 succeeded, 3 partly verified, 2 not verified, 1 failed. Rows written: 0.',
    );
  });

  it('reaches a webhook with its figures', async () => {
    const webhook = { kind: 'signed', name: 'Reports', url: 'https://127.0.0.1/hook' };
    const made = expectStatus(
      await organization.call.post<{ endpoint: { id: string } }>(`${organization.path}/webhook-endpoints`, webhook),
      201,
    );
    const { id } = made.body.endpoint;
    expect(made.headers.get('location')).toBe(`${organization.path}/webhook-endpoints/${id}`);
    await create({ channel: 'webhook', events: ['weekly.summary'], endpointId: id });
    await at('08:00');
    const runs = { succeeded: 0, partial: 0, unverified: 0, failed: 0, rows: 0 };
    const figures = { connections: 0, paused: 0, payments: 0, ...runs, openAlerts: 0, newAlerts: 0 };
    const stored = await app.database.query('select payload from webhook_deliveries where endpoint_id = $1', [id]);
    expect(stored).toMatchObject([{ payload: { type: 'weekly.summary', data: { week: monday(), ...figures } } }]);
  });

  it('reaches other organizations when one has a time zone that PostgreSQL does not know', async () => {
    await create({ channel: 'mail', events: ['weekly.summary'], roles: ['owner'] });
    const other = await anOrganization(app);
    const rule = { channel: 'mail', events: ['weekly.summary'], roles: ['owner'] };
    expectStatus(await other.call.post(`${other.path}/notification-rules`, rule), 201);
    await app.database.query(`update organizations set time_zone = 'Nowhere/X' where id = $1`, [other.id]);
    try {
      await at('08:00');
      expect(await summaries()).toBe(1);
      expect(await outboxOf(app, other.id, 'weekly-summary')).toEqual([]);
    } finally {
      await app.database.query(`update organizations set time_zone = 'UTC' where id = $1`, [other.id]);
    }
  });

  it('can be opted out of', async () => {
    const { id, version } = await create({ channel: 'mail', events: ['weekly.summary'], roles: ['owner'] });
    expectStatus(await organization.call.patch(`${path}/${id}`, { isEnabled: false, version }), 200);
    await at('08:00');
    expect(await summaries()).toBe(0);
  });
});
