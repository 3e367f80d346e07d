import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertMailsOf, alertsOf, untilEventsDelivered } from '../../../test/alerts.js';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import { isSigned, type Receiver, startReceiver } from '../../../test/receiver.js';
import { aMember } from '../../../test/teams.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { Metrics } from '../../core/observability/metrics.js';
import { Alerts } from '../alerts.service.js';
import { NotifyAlert } from '../notify/notify-alert.js';
import { DeliverWebhooks } from './deliver-webhooks.js';
import type { WebhookDeliveryEntry, WebhookDeliveryPage, WebhookWithSecret } from './webhook-endpoints.dto.js';

const DAY_MS = 86_400_000;

let app: TestApp;
let receiver: Receiver;
let other: Receiver;
let organization: Organization;

beforeAll(async () => {
  [receiver, other] = [await startReceiver(), await startReceiver()];
  app = await startTestApp({ ROLE: 'all' });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([receiver?.stop(), other?.stop()]);
});
beforeEach(async () => {
  organization = await anOrganization(app);
});
afterEach(async () => {
  // A retry of this test would reach the receivers during the next one.
  await app.database.query(`delete from webhook_deliveries where state = 'queued'`);
  for (const one of [receiver, other]) {
    one.answer = { status: 200 };
    one.received.length = 0;
  }
});

const pathOf = (id = '') => `${organization.path}/webhook-endpoints${id && `/${id}`}`;
const create = async (body: object = {}): Promise<WebhookWithSecret> =>
  expectStatus(
    await organization.call.post<WebhookWithSecret>(pathOf(), {
      kind: 'signed',
      name: 'Pager',
      url: `${receiver.url}/hook`,
      ...body,
    }),
    201,
  ).body;
const test = async (id: string): Promise<WebhookDeliveryEntry> =>
  expectStatus(await organization.call.post<WebhookDeliveryEntry>(`${pathOf(id)}/test`), 202).body;
const deliveriesOf = async (id: string): Promise<WebhookDeliveryEntry[]> =>
  (await organization.call.get<WebhookDeliveryPage>(`${pathOf(id)}/deliveries`)).body.items;
const newest = async (id: string): Promise<WebhookDeliveryEntry> => (await deliveriesOf(id))[0]!;
const untilAttempted = (id: string, attempts = 1) =>
  eventually(() => newest(id), (delivery) => delivery?.history.length >= attempts); // prettier-ignore
/** Retries are due at once. */
const retryNow = () => app.database.query(`update graphile_worker._private_jobs set run_at = now() where key like 'webhook:%'`);
const openAlert = (subjectId = randomUUID()) =>
  app.get(TenantDatabase).transaction(organization.id, (query) =>
    app.get(Alerts).open(query, organization.id, {
      kind: 'connection.failing',
      subjectId,
      failure: { class: 'data', code: 'test.failed', message: 'Rows <differ> & more.', action: 'Look into it' },
    }),
  );

describe('the address of a webhook', () => {
  it.each([
    ['http://127.0.0.1/hook', 'https'],
    ['not an address', 'https'],
    ['https://user:password@127.0.0.1/hook', 'password'],
    ['https://10.1.2.3/hook', 'not a public address'],
    ['https://169.254.169.254/latest', 'not a public address'],
    ['https://no-such-host.invalid/hook', 'not found'],
  ])('%s is rejected', async (url, reason) => {
    const answer = await organization.call.post(pathOf(), { kind: 'signed', name: 'Pager', url });
    expect(expectStatus(answer, 400).body['errors']).toEqual([{ field: 'url', message: expect.stringContaining(reason) }]);
  });

  it('that has become private is not connected to', async () => {
    const strict = await startTestApp({ ROLE: 'all', EGRESS_ALLOWED_NETWORKS: '' });
    try {
      organization = await anOrganization(strict);
      const made = await organization.call.post<WebhookWithSecret>(pathOf(), {
        kind: 'signed',
        name: 'Pager',
        url: 'https://8.8.8.8/',
      });
      const { id } = expectStatus(made, 201).body.endpoint;
      await strict.database.query('update webhook_endpoints set url = $2 where id = $1', [id, `${receiver.url}/hook`]);
      await test(id);
      expect((await untilAttempted(id)).lastError).toContain('not a public address');
      expect(receiver.received).toEqual([]);
    } finally {
      await strict.stop();
    }
  });
});

describe('a webhook', () => {
  it('can be read and changed by admins only', async () => {
    const { endpoint } = await create();
    const [admin, editor] = [await aMember(app, organization, 'admin'), await aMember(app, organization, 'editor')];
    expectStatus(await editor.call.get(pathOf()), 403);
    expectStatus(await editor.call.post(`${pathOf(endpoint.id)}/test`), 403);
    expectStatus(await admin.call.get(pathOf()), 200);
    const stale = await admin.call.patch(pathOf(endpoint.id), { name: 'Other', version: endpoint.version + 1 });
    expect(expectStatus(stale, 409).body['code']).toBe('conflict.version');
  });

  it('receives alerts with a signature that an independent implementation verifies', async () => {
    const { secret } = await create();
    await openAlert();
    await eventually(async () => receiver.received, (received) => received.length === 1); // prettier-ignore
    const [request] = receiver.received;
    expect(await isSigned(request!, secret ?? '')).toBe(true);
    expect(await isSigned({ ...request!, body: `${request?.body} ` }, secret ?? '')).toBe(false);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      id: request?.headers['webhook-id'],
      type: 'alert.opened',
      organizationId: organization.id,
      data: {
        kind: 'connection.failing',
        code: 'test.failed',
        action: 'Look into it',
        url: expect.stringContaining('/connection/'),
      },
    });
    expect(Number(request?.headers['webhook-timestamp'])).toBeCloseTo(Date.now() / 1_000, -2);
  });

  it('shows its secret once, and is signed with both secrets for a day after a rotation', async () => {
    const { endpoint, secret } = await create();
    expect(secret).toMatch(/^whsec_/);
    const rotated = expectStatus(
      await organization.call.post<WebhookWithSecret>(`${pathOf(endpoint.id)}/rotate-secret`),
      200,
    ).body;
    expect(rotated.secret).not.toBe(secret);
    await test(endpoint.id);
    await untilAttempted(endpoint.id);
    expect(await isSigned(receiver.received[0]!, secret ?? '')).toBe(true);
    expect(await isSigned(receiver.received[0]!, rotated.secret ?? '')).toBe(true);
    const stored = await app.database.query(
      'select e::text, (select json_agg(a)::text from audit_events a) as audit from webhook_endpoints e',
    );
    const read = await organization.call.get(pathOf());
    for (const text of [JSON.stringify(stored), JSON.stringify(read.body)]) {
      expect(text).not.toContain(secret?.slice(6));
      expect(text).not.toContain(rotated.secret?.slice(6));
    }
    const { id: deliveryId } = await newest(endpoint.id);
    const job = { organizationId: organization.id, endpointId: endpoint.id, deliveryId };
    expectStatus(await organization.call.post(`${pathOf(endpoint.id)}/deliveries/${deliveryId}/redeliver`), 202);
    await untilAttempted(endpoint.id, 2);
    await app.database.query(`update webhook_deliveries set state = 'queued' where id = $1`, [deliveryId]);
    const signal = new AbortController().signal;
    await app.get(DeliverWebhooks).deliver(job, { signal }, new Date(Date.now() + DAY_MS + 60_000));
    expect(await isSigned(receiver.received[2]!, secret ?? '')).toBe(false);
    expect(await isSigned(receiver.received[2]!, rotated.secret ?? '')).toBe(true);
  });

  it('that fails gets the event again with the same id, and the log shows each attempt', async () => {
    const { endpoint } = await create();
    receiver.answer = { status: 503, body: 'x'.repeat(5_000) };
    await test(endpoint.id);
    expect(await untilAttempted(endpoint.id)).toMatchObject({
      state: 'queued',
      responseStatus: 503,
      responseExcerpt: 'x'.repeat(1_000),
      lastError: 'The receiver answered with status 503.',
      nextAttemptAt: expect.any(String),
    });
    receiver.answer = { status: 204, body: '' };
    await retryNow();
    const delivered = await untilAttempted(endpoint.id, 2);
    expect(delivered).toMatchObject({ state: 'delivered', attempts: 2, nextAttemptAt: null, lastError: null });
    expect(delivered.history.map(({ status }) => status)).toEqual([503, 204]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([ids[0], ids[0]]);
    expectStatus(await organization.call.post(`${pathOf(endpoint.id)}/deliveries/${delivered.id}/redeliver`), 202);
    await untilAttempted(endpoint.id, 3);
    expect(receiver.received[2]?.headers['webhook-id']).toBe(ids[0]);
  });

  it('that gives up after nine attempts is marked as failed', async () => {
    const { endpoint } = await create();
    receiver.answer = { status: 500 };
    await test(endpoint.id);
    await untilAttempted(endpoint.id);
    await app.database.query('update webhook_deliveries set attempts = 8 where endpoint_id = $1', [endpoint.id]);
    await retryNow();
    expect(await untilAttempted(endpoint.id, 2)).toMatchObject({ state: 'failed', attempts: 9, nextAttemptAt: null });
  });

  it('that redirects is not followed', async () => {
    const { endpoint } = await create();
    receiver.answer = { status: 307, location: `${other.url}/stolen` };
    await test(endpoint.id);
    expect((await untilAttempted(endpoint.id)).lastError).toContain('Redirects are not followed');
    expect(other.received).toEqual([]);
  });

  it('that hangs delays only itself', async () => {
    const [slow, fast] = [await create(), await create({ name: 'Fast', url: other.url })];
    receiver.answer = { status: 0 };
    for (let event = 0; event < 4; event += 1) await test(slow.endpoint.id);
    await eventually(async () => receiver.received, (received) => received.length > 0); // prettier-ignore
    await test(fast.endpoint.id);
    await untilAttempted(fast.endpoint.id);
    expect((await deliveriesOf(slow.endpoint.id)).filter(({ history }) => history.length > 0).length).toBeLessThan(4);
    const first = await eventually(
      () => deliveriesOf(slow.endpoint.id),
      (deliveries) => deliveries.some(({ lastError }) => lastError !== null),
    );
    expect(first.map(({ lastError }) => lastError)).toContain('The receiver did not respond within 1 s.');
  });

  it('whose deliveries have failed for five days is disabled and notified once', async () => {
    const { endpoint } = await create();
    receiver.answer = { status: 500 };
    await test(endpoint.id);
    await untilAttempted(endpoint.id);
    await app.database.query(`update webhook_endpoints set failing_since = now() - interval '4 days 23 hours' where id = $1`, [
      endpoint.id,
    ]);
    await retryNow();
    await untilAttempted(endpoint.id, 2);
    expect((await organization.call.get(pathOf(endpoint.id))).body).toMatchObject({ isEnabled: true });
    await app.database.query(`update webhook_endpoints set failing_since = now() - interval '5 days' where id = $1`, [
      endpoint.id,
    ]);
    await retryNow();
    await untilAttempted(endpoint.id, 3);
    expect((await organization.call.get(pathOf(endpoint.id))).body).toMatchObject({
      isEnabled: false,
      disabledReason: 'failures',
    });
    await untilEventsDelivered(app);
    expect((await alertsOf(organization)).items).toEqual([
      expect.objectContaining({ kind: 'webhook.disabled', title: 'The webhook Pager was disabled' }),
    ]);
    expect(await alertMailsOf(app, organization.id)).toHaveLength(1);
    expect(expectStatus(await organization.call.post(`${pathOf(endpoint.id)}/test`), 409).body['code']).toBe('webhook.disabled');

    const { version } = endpoint;
    expectStatus(await organization.call.patch(pathOf(endpoint.id), { isEnabled: true, version }), 200);
    expect((await alertsOf(organization)).counts.open).toBe(0);
  });

  it('is not disabled by the first failure after a quiet week', async () => {
    const { endpoint } = await create();
    receiver.answer = { status: 503 };
    await test(endpoint.id);
    await untilAttempted(endpoint.id);
    const weekAgo = new Date(Date.now() - 8 * DAY_MS).toISOString();
    await app.database.query(
      `update webhook_deliveries
          set state = 'failed', created_at = $2, next_attempt_at = $2, history = jsonb_set(history, '{0,at}', to_jsonb($3::text))
        where endpoint_id = $1`,
      [endpoint.id, weekAgo, weekAgo],
    );
    await app.database.query(`update webhook_endpoints set failing_since = now() - interval '8 days' where id = $1`, [
      endpoint.id,
    ]);
    await test(endpoint.id);
    await untilAttempted(endpoint.id);
    expect((await organization.call.get(pathOf(endpoint.id))).body).toMatchObject({ isEnabled: true });
    receiver.answer = { status: 200 };
    await retryNow();
    expect(await untilAttempted(endpoint.id, 2)).toMatchObject({ state: 'delivered' });
    expect((await organization.call.get(pathOf(endpoint.id))).body).toMatchObject({ isEnabled: true });
  });

  it('that a user disables sends nothing late, and its deliveries do not count as due', async () => {
    const { endpoint } = await create();
    const enable = async (isEnabled: boolean) => {
      const { version } = (await organization.call.get<{ version: number }>(pathOf(endpoint.id))).body;
      expectStatus(await organization.call.patch(pathOf(endpoint.id), { isEnabled, version }), 200);
    };
    receiver.answer = { status: 503 };
    await test(endpoint.id);
    await untilAttempted(endpoint.id);
    await enable(false);
    expect(await newest(endpoint.id)).toMatchObject({ state: 'failed', nextAttemptAt: null });

    // Stored while the webhook was being disabled.
    await app.database.query(`delete from graphile_worker._private_jobs where key like 'webhook:%'`);
    const overdue = `state = 'queued', next_attempt_at = now() - interval '1 hour'`;
    await app.database.query(`update webhook_deliveries set ${overdue} where endpoint_id = $1`, [endpoint.id]);
    await app.get(DeliverWebhooks).sweep();
    expect(await app.database.query(`select from graphile_worker._private_jobs where key like 'webhook:%'`)).toEqual([]);
    expect(await app.get(Metrics).registry.metrics()).toMatch(/^webhook_oldest_due_seconds 0$/m);
    receiver.answer = { status: 200 };
    await enable(true);
    await app.get(DeliverWebhooks).sweep();
    await test(endpoint.id);
    expect(await untilAttempted(endpoint.id)).toMatchObject({ state: 'delivered' });
    expect((await deliveriesOf(endpoint.id)).map(({ state }) => state)).toEqual(['delivered', 'failed']);
  });

  it('gets one delivery for an alert, although its notification is stored by concurrent jobs and again after a crash', async () => {
    const { endpoint } = await create();
    await openAlert();
    const [alert] = (await alertsOf(organization)).items;
    await Promise.all(Array.from({ length: 6 }, () => app.get(NotifyAlert).notify(organization.id, alert!.id)));
    await untilEventsDelivered(app);
    await untilAttempted(endpoint.id);
    // The job was lost, as after a restore of the database, and is queued again.
    await app.database.query(
      `update webhook_deliveries set state = 'queued', next_attempt_at = now() - interval '1 hour' where endpoint_id = $1`,
      [endpoint.id],
    );
    await app.get(DeliverWebhooks).sweep();
    await untilAttempted(endpoint.id, 2);
    expect(await deliveriesOf(endpoint.id)).toHaveLength(1);
    // Retries of earlier tests may arrive too.
    const own = receiver.received.filter(({ body }) => body.includes(organization.id));
    expect(new Set(own.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('that is deleted leaves no rule, log or alert', async () => {
    const { endpoint } = await create();
    await test(endpoint.id);
    await untilAttempted(endpoint.id);
    expectStatus(await organization.call.delete(pathOf(endpoint.id)), 204);
    expectStatus(await organization.call.get(pathOf(endpoint.id)), 404);
    const rules = await organization.call.get<{ items: { channel: string }[] }>(`${organization.path}/notification-rules`);
    expect(rules.body.items.map(({ channel }) => channel)).toEqual(['in_app', 'mail']);
  });

  it('cannot be created beyond 20, also by concurrent requests', async () => {
    const body = { kind: 'signed', name: 'Pager', url: receiver.url };
    const answers = await Promise.all(Array.from({ length: 24 }, () => organization.call.post(pathOf(), body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ body: { code } }) => code === 'webhook.limit_reached')).toHaveLength(4);
  });
});

it('an incoming webhook of Slack gets escaped text, and its address is nowhere in clear text', async () => {
  const canary = `canary${randomUUID().replaceAll('-', '')}`;
  const created = await create({ kind: 'slack', name: 'Slack', url: `${receiver.url}/services/${canary}` });
  expect(created).toMatchObject({ secret: null, endpoint: { url: null, host: receiver.url.replace('https://', '') } });
  receiver.answer = { status: 500, body: 'no_service' };
  await openAlert();
  await untilAttempted(created.endpoint.id);
  const sent = receiver.received.find(({ path }) => path === `/services/${canary}`);
  const { text } = JSON.parse(sent?.body ?? '{}') as { text?: string };
  expect(text).toContain('Rows &lt;differ&gt; &amp; more.');
  expect(text).toContain('What to do: Look into it');
  expectStatus(await organization.call.post(`${pathOf(created.endpoint.id)}/rotate-secret`), 404);

  const answers = await Promise.all(
    [pathOf(), pathOf(created.endpoint.id), `${pathOf(created.endpoint.id)}/deliveries`, `${organization.path}/notification-rules`, `${organization.path}/audit-events`].map(
      async (path) => JSON.stringify((await organization.call.get(path)).body),
    ),
  ); // prettier-ignore
  expect(answers.filter((answer) => answer.includes(canary))).toEqual([]);
  const tables = await app.database.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
  );
  const leaking = [];
  for (const { name } of tables)
    if ((await app.database.query(`select from ${name} t where t::text like $1 limit 1`, [`%${canary}%`])).length > 0)
      leaking.push(name);
  expect(leaking).toEqual([]);
});

it('due deliveries are found with an index', async () => {
  const { endpoint } = await create();
  await app.database.query(
    `insert into webhook_deliveries (organization_id, id, endpoint_id, event_id, event, payload, state)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'alert.opened', '{}', 'delivered' from generate_series(1, 20000)`,
    [organization.id, endpoint.id],
  );
  await app.database.query('analyze webhook_deliveries');
  const plan = await app.database.query(
    `explain select id from webhook_deliveries where state = 'queued' and next_attempt_at < now() order by next_attempt_at limit 1000`,
  );
  expect(JSON.stringify(plan)).toContain('webhook_deliveries_due');
});
