import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { untilEventsDelivered } from '../../../test/alerts.js';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import { isSigned, type Receiver, startReceiver } from '../../../test/receiver.js';
import { aMember } from '../../../test/teams.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { Metrics } from '../../core/observability/metrics.js';
import { PurgeDeletedResources } from '../../organizations/deletion/purge-deleted-resources.js';
import { Alerts } from '../alerts.service.js';
import type { NotificationRuleEntry, NotificationRulePage } from '../rules/notification-rules.dto.js';
import { WeeklySummary } from '../summary/weekly-summary.js';
import { DeliverWebhooks } from './deliver-webhooks.js';
import { MAX_ENDPOINTS } from './webhook-endpoints.service.js';
import type {
  WebhookDeliveryEntry,
  WebhookDeliveryPage,
  WebhookEndpointEntry,
  WebhookEndpointPage,
  WebhookWithSecret,
} from './webhook-endpoints.dto.js';

let app: TestApp;
let receiver: Receiver;
let organization: Organization;

beforeAll(async () => {
  receiver = await startReceiver();
  app = await startTestApp({ ROLE: 'all' });
});
afterAll(async () => {
  await app?.stop();
  await receiver?.stop();
});
beforeEach(async () => {
  organization = await anOrganization(app);
  receiver.answer = { status: 200 };
  receiver.received.length = 0;
});

const webhookPath = (id = '') => `${organization.path}/webhook-endpoints${id && `/${id}`}`;
const rulePath = (id = '') => `${organization.path}/notification-rules${id && `/${id}`}`;
const createWebhook = async (name = 'Pager'): Promise<WebhookWithSecret> => {
  const body = { kind: 'signed', name, url: `${receiver.url}/hook` };
  return expectStatus(await organization.call.post<WebhookWithSecret>(webhookPath(), body), 201).body;
};
const createRule = (body: object) => organization.call.post<NotificationRuleEntry>(rulePath(), body);
const webhooks = async () => (await organization.call.get<WebhookEndpointPage>(webhookPath())).body.items;
const rules = async () => (await organization.call.get<NotificationRulePage>(rulePath())).body.items;
const rulesOf = async (webhookId: string) => (await rules()).filter(({ endpoint }) => endpoint?.id === webhookId);
const ruleOf = async (channel: string) => (await rules()).find((rule) => rule.channel === channel)!;
const remove = async (path: string) => expectStatus(await organization.call.delete(path), 204);
const restoreWebhook = (id: string) => organization.call.post<WebhookEndpointEntry>(`${webhookPath(id)}/restore`);
const restoreRule = (id: string) => organization.call.post<NotificationRuleEntry>(`${rulePath(id)}/restore`);
const deliveriesOf = async (id: string) =>
  expectStatus(await organization.call.get<WebhookDeliveryPage>(`${webhookPath(id)}/deliveries`), 200).body.items;
const test = async (id: string) =>
  expectStatus(await organization.call.post<WebhookDeliveryEntry>(`${webhookPath(id)}/test`), 202).body;
const untilReceived = (count: number) =>
  eventually(
    () => Promise.resolve(receiver.received),
    ({ length }) => length >= count,
  );
const age = (days: number) =>
  Promise.all(
    ['webhook_endpoints', 'notification_rules'].map((table) =>
      app.database.query(
        `update ${table} set deleted_at = now() - make_interval(days => $2) where organization_id = $1 and deleted_at is not null`,
        [organization.id, days],
      ),
    ),
  );
const countIn = async (table: string) =>
  (await app.database.query(`select 1 from ${table} where organization_id = $1`, [organization.id])).length;
const trail = (id: string) =>
  app.database.query(
    `select action, target_id as id from audit_events where organization_id = $1 and target_id = $2 order by id`,
    [organization.id, id],
  );
async function openAlert(): Promise<void> {
  const failure = { class: 'data', code: 'test.failed', message: 'It failed.', action: 'Look into it' };
  const alert = { kind: 'connection.failing', subjectId: randomUUID(), failure } as const;
  await app.get(TenantDatabase).transaction(organization.id, (query) => app.get(Alerts).open(query, organization.id, alert));
  await untilEventsDelivered(app);
}
async function badge(): Promise<number> {
  const { body } = await organization.call.get<{ counts: { badge: number } }>(`${organization.path}/alerts`);
  return body.counts.badge;
}

describe('a deleted webhook', () => {
  it('receives nothing, and is restored with its secret, its log and its rules', async () => {
    const { endpoint, secret } = await createWebhook();
    const kept = await rulesOf(endpoint.id);
    const { body: removed } = await createRule({ channel: 'webhook', events: ['webhook.disabled'], endpointId: endpoint.id });
    await remove(rulePath(removed.id));
    const { id: delivery } = await test(endpoint.id);
    await untilReceived(1);
    await remove(webhookPath(endpoint.id));
    expect([await webhooks(), await rulesOf(endpoint.id)]).toEqual([[], []]);
    for (const path of ['', '/deliveries']) expectStatus(await organization.call.get(webhookPath(endpoint.id) + path), 404);
    for (const path of ['/test', '/rotate-secret', `/deliveries/${delivery}/redeliver`])
      expectStatus(await organization.call.post(webhookPath(endpoint.id) + path), 404);
    expectStatus(await organization.call.patch(webhookPath(endpoint.id), { name: 'Other', version: endpoint.version }), 404);
    expectStatus(await organization.call.delete(webhookPath(endpoint.id)), 404);
    expectStatus(await createRule({ channel: 'webhook', events: ['connection.failing'], endpointId: endpoint.id }), 400);
    await openAlert();
    expect(await countIn('webhook_deliveries')).toBe(1);

    const restored = expectStatus(await restoreWebhook(endpoint.id), 200).body;
    expect(restored).toMatchObject({ id: endpoint.id, name: 'Pager', isEnabled: true, version: endpoint.version });
    expect(await rulesOf(endpoint.id)).toEqual(kept);
    expect((await deliveriesOf(endpoint.id)).map(({ id }) => id)).toEqual([delivery]);
    await openAlert();
    const [, message] = await untilReceived(2);
    expect(await isSigned(message!, secret!)).toBe(true);
    expectStatus(await restoreWebhook(endpoint.id), 200);
    expect((await trail(endpoint.id)).map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.deleted',
      'webhook.restored',
    ]);
  });

  it('does not get the deliveries that waited, also after it is restored', async () => {
    const { endpoint } = await createWebhook();
    receiver.answer = { status: 503 };
    await test(endpoint.id);
    await eventually(
      () => deliveriesOf(endpoint.id),
      ([delivery]) => delivery?.history.length === 1,
    );
    await remove(webhookPath(endpoint.id));
    receiver.received.length = 0;
    const due = `update webhook_deliveries set next_attempt_at = now() - interval '1 hour' where endpoint_id = $1`;
    await app.database.query(due, [endpoint.id]);
    // As of an event that was stored while the webhook was deleted.
    const late = randomUUID();
    await app.database.query(
      `insert into webhook_deliveries (organization_id, id, endpoint_id, event_id, event, payload, next_attempt_at)
       values ($1, $3, $2, $3, 'webhook.test', '{}', now() - interval '1 hour')`,
      [organization.id, endpoint.id, late],
    );
    expect(await app.get(Metrics).registry.metrics()).toMatch(/^webhook_oldest_due_seconds 0$/m);
    await app.get(DeliverWebhooks).sweep();
    expect(await app.database.query('select 1 from graphile_worker.jobs where key = $1', [`webhook:${late}`])).toEqual([]);
    expectStatus(await restoreWebhook(endpoint.id), 200);
    expect((await deliveriesOf(endpoint.id)).map(({ state, lastError }) => ({ state, lastError }))).toEqual(
      expect.arrayContaining([{ state: 'failed', lastError: 'The webhook was deleted.' }]),
    );
    expect((await deliveriesOf(endpoint.id)).every(({ state }) => state === 'failed')).toBe(true);
    await app.get(DeliverWebhooks).sweep();
    expect(receiver.received).toEqual([]);
  });

  it('does not count against the limit, and is not restored beyond it', async () => {
    const { endpoint } = await createWebhook();
    await remove(webhookPath(endpoint.id));
    for (let index = 0; index < MAX_ENDPOINTS; index++) await createWebhook(`Pager ${index}`);
    expect(expectStatus(await restoreWebhook(endpoint.id), 409).body).toMatchObject({ code: 'webhook.limit_reached' });
    expect(await webhooks()).toHaveLength(MAX_ENDPOINTS);
  });

  it('is not in an exported configuration, and neither are its rules', async () => {
    const { endpoint } = await createWebhook();
    await remove(webhookPath(endpoint.id));
    await remove(rulePath((await ruleOf('mail')).id));
    const { body } = await organization.call.get<Record<string, unknown[]>>(`${organization.path}/configuration`);
    expect(body).toMatchObject({ webhooks: [], notificationRules: [{ channel: 'in_app' }] });
  });

  it('cannot be restored after 30 days, by an editor, or in another organization', async () => {
    const { endpoint } = await createWebhook();
    const rule = await ruleOf('mail');
    await remove(webhookPath(endpoint.id));
    await remove(rulePath(rule.id));
    const editor = await aMember(app, organization, 'editor');
    const other = await anOrganization(app);
    for (const path of [webhookPath(endpoint.id), rulePath(rule.id)]) {
      expectStatus(await editor.call.post(`${path}/restore`), 403);
      expectStatus(await other.call.post(`${path.replace(organization.id, other.id)}/restore`), 404);
    }
    await age(31);
    expectStatus(await restoreWebhook(endpoint.id), 404);
    expectStatus(await restoreRule(rule.id), 404);
  });

  it('is purged after 30 days with its rules and its log', async () => {
    const { endpoint } = await createWebhook();
    await test(endpoint.id);
    await untilReceived(1);
    await remove(webhookPath(endpoint.id));
    await remove(rulePath((await ruleOf('mail')).id));
    await age(29);
    await app.get(PurgeDeletedResources).purge();
    expect([await countIn('webhook_endpoints'), await countIn('notification_rules')]).toEqual([1, 3]);
    await age(31);
    await app.get(PurgeDeletedResources).purge();
    const left = await Promise.all(['webhook_endpoints', 'webhook_deliveries', 'notification_rules'].map(countIn));
    expect(left).toEqual([0, 0, 1]);
  });
});

describe('a deleted notification rule', () => {
  it('notifies nobody until it is restored', async () => {
    const rule = await ruleOf('in_app');
    await openAlert();
    expect(await badge()).toBe(1);
    await remove(rulePath(rule.id));
    expect(await badge()).toBe(0);
    expect((await rules()).map(({ channel }) => channel)).toEqual(['mail']);
    expectStatus(await organization.call.patch(rulePath(rule.id), { isEnabled: false, version: rule.version }), 404);
    expectStatus(await organization.call.delete(rulePath(rule.id)), 404);
    expect(expectStatus(await restoreRule(rule.id), 200).body).toEqual(rule);
    expectStatus(await restoreRule(rule.id), 200);
    expect(await badge()).toBe(1);
    expect((await trail(rule.id)).map(({ action }) => action)).toEqual([
      'notification_rule.deleted',
      'notification_rule.restored',
    ]);
  });

  it('is replaced by a new rule of the same webhook, and can be restored next to it', async () => {
    const { endpoint } = await createWebhook();
    const [rule] = await rulesOf(endpoint.id);
    await remove(rulePath(rule!.id));
    await openAlert();
    expect(await countIn('webhook_deliveries')).toBe(0);
    expectStatus(await createRule({ channel: 'webhook', events: ['connection.failing'], endpointId: endpoint.id }), 201);
    expectStatus(await restoreRule(rule!.id), 200);
    expect(await rulesOf(endpoint.id)).toHaveLength(2);
    await openAlert();
    expect(await countIn('webhook_deliveries')).toBe(1);
  });

  it('cannot be restored while its webhook is deleted', async () => {
    const { endpoint } = await createWebhook();
    const [rule] = await rulesOf(endpoint.id);
    await remove(rulePath(rule!.id));
    await remove(webhookPath(endpoint.id));
    expect(expectStatus(await restoreRule(rule!.id), 409).body).toMatchObject({
      code: 'notification_rule.webhook_gone',
      detail: 'Pager, the webhook of the rule, was deleted.',
      action: 'Restore the webhook first',
    });
    expectStatus(await restoreWebhook(endpoint.id), 200);
    expect(await rulesOf(endpoint.id)).toEqual([]);
    expectStatus(await restoreRule(rule!.id), 200);
    expect(await rulesOf(endpoint.id)).toHaveLength(1);
  });

  it('does not count against the limit, and is not restored beyond it', async () => {
    const rule = await ruleOf('mail');
    await remove(rulePath(rule.id));
    await app.database.query(
      `insert into notification_rules (organization_id, id, channel, events)
       select $1, gen_random_uuid(), 'in_app', array['connection.failing'] from generate_series(1, 48)`,
      [organization.id],
    );
    expectStatus(await createRule({ channel: 'in_app', events: ['connection.failing'] }), 201);
    expect(expectStatus(await restoreRule(rule.id), 409).body).toMatchObject({ code: 'notification_rule.limit_reached' });
  });

  it('sends no weekly summary, and begins with the next week after it is restored', async () => {
    const body = { channel: 'mail', events: ['weekly.summary'], roles: ['owner'] };
    const { id } = expectStatus(await createRule(body), 201).body;
    await remove(rulePath(id));
    await app.database.query(`update notification_rules set summarized_week = '2026-01-01' where id = $1`, [id]);
    const summaries = async () => {
      await app.get(WeeklySummary).send(new Date());
      const sent = `select 1 from outbox_messages where organization_id = $1 and name = 'weekly-summary'`;
      return (await app.database.query(sent, [organization.id])).length;
    };
    expect(await summaries()).toBe(0);
    expectStatus(await restoreRule(id), 200);
    expect(await summaries()).toBe(0);
  });

  it('no longer contains a member who left, and is gone if nobody else received its mails', async () => {
    const { user } = await aMember(app, organization, 'viewer');
    const mail = { channel: 'mail', events: ['connection.failing'] };
    const { body: shared } = await createRule({ ...mail, roles: ['admin'], memberIds: [user.uid] });
    const { body: own } = await createRule({ ...mail, memberIds: [user.uid] });
    for (const { id } of [shared, own]) await remove(rulePath(id));
    await remove(`${organization.path}/members/${user.uid}`);
    expect(expectStatus(await restoreRule(shared.id), 200).body).toMatchObject({ memberIds: [], roles: ['admin'] });
    expectStatus(await restoreRule(own.id), 404);
  });
});
