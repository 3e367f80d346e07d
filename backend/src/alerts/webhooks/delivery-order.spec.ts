import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { untilEventsDelivered } from '../../../test/alerts.js';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, eventually, expectStatus } from '../../../test/factories.js';
import { type Receiver, startReceiver } from '../../../test/receiver.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { Alerts } from '../alerts.service.js';
import type { WebhookDeliveryPage, WebhookWithSecret } from './webhook-endpoints.dto.js';

let app: TestApp;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  app = await startTestApp({ ROLE: 'all' });
});
afterAll(async () => {
  await app?.stop();
  await receiver?.stop();
});

it.each(['signed', 'slack'] as const)(
  'a webhook of the kind %s receives the recovery of an alert after its opening, although the first attempt fails',
  async (kind) => {
    const organization = await anOrganization(app);
    const endpoints = `${organization.path}/webhook-endpoints`;
    const created = await organization.call.post<WebhookWithSecret>(endpoints, {
      kind,
      name: 'Pager',
      url: `${receiver.url}/hook`,
    });
    const { id } = expectStatus(created, 201).body.endpoint;
    const deliveries = async () => (await organization.call.get<WebhookDeliveryPage>(`${endpoints}/${id}/deliveries`)).body.items;
    const within = (work: (alerts: Alerts, query: TenantQuery) => Promise<void>) =>
      app.get(TenantDatabase).transaction(organization.id, (query) => work(app.get(Alerts), query));
    receiver.received.length = 0;

    receiver.answer = { status: 503 };
    const subjectId = randomUUID();
    const failure = { class: 'data', code: 'test.failed', message: 'It failed.', action: 'Look into it' };
    await within((alerts, query) => alerts.open(query, organization.id, { kind: 'connection.failing', subjectId, failure }));
    await eventually(deliveries, ([opened]) => opened !== undefined && opened.history.length > 0);
    receiver.answer = { status: 200 };
    await within((alerts, query) => alerts.recover(query, organization.id, subjectId, ['connection.failing']));
    await untilEventsDelivered(app);
    const due = `select from graphile_worker._private_jobs where key like 'webhook:%' and run_at <= now()`;
    await eventually(() => app.database.query(due), (jobs) => jobs.length === 0); // prettier-ignore
    const retried = async () => {
      await app.database.query(`update graphile_worker._private_jobs set run_at = now() where key like 'webhook:%'`);
      return deliveries();
    };
    await eventually(retried, (all) => all.length === 2 && all.every(({ state }) => state === 'delivered'));
    const titles = receiver.received.map(({ body }) => /is failing|works again/.exec(body)?.[0]);
    expect(titles).toEqual(['is failing', 'is failing', 'works again']);
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([1, 2]);
  },
);
