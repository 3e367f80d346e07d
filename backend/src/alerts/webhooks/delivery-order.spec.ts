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

const DUE = `select from graphile_worker._private_jobs where key like 'webhook:%' and run_at <= now()`;
const SEND_NOW = `update graphile_worker._private_jobs set run_at = now() where key like 'webhook:%'`;

/** A webhook that rejects the opening of an alert. `recover` ends the alert, and the webhook accepts what is sent from then on. */
async function aRejectedOpening(kind: 'signed' | 'slack') {
  const { call, path, id: organizationId } = await anOrganization(app);
  const endpoints = `${path}/webhook-endpoints`;
  const created = await call.post<WebhookWithSecret>(endpoints, { kind, name: 'Pager', url: `${receiver.url}/hook` });
  const endpoint = `${endpoints}/${expectStatus(created, 201).body.endpoint.id}`;
  const deliveries = async () => (await call.get<WebhookDeliveryPage>(`${endpoint}/deliveries`)).body.items;
  const within = (work: (alerts: Alerts, query: TenantQuery) => Promise<void>) =>
    app.get(TenantDatabase).transaction(organizationId, (query) => work(app.get(Alerts), query));
  receiver.received.length = 0;
  receiver.answer = { status: 503 };
  const subjectId = randomUUID();
  const failure = { class: 'data', code: 'test.failed', message: 'It failed.', action: 'Look into it' };
  await within((alerts, query) => alerts.open(query, organizationId, { kind: 'connection.failing', subjectId, failure }));
  const attempted = (count: number) => eventually(deliveries, ([opened]) => opened?.history.length === count);
  await attempted(1);
  const recover = async () => {
    receiver.answer = { status: 200 };
    await within((alerts, query) => alerts.recover(query, organizationId, subjectId, ['connection.failing']));
    await untilEventsDelivered(app);
    await eventually(() => app.database.query(DUE), (jobs) => jobs.length === 0); // prettier-ignore
  };
  return { call, endpoint, deliveries, attempted, recover };
}

const areDelivered = (all: WebhookDeliveryPage['items']) => all.length === 2 && all.every(({ state }) => state === 'delivered');
const titles = () => receiver.received.map(({ body }) => /is failing|works again/.exec(body)?.[0]);

it.each(['signed', 'slack'] as const)(
  'a webhook of the kind %s receives the recovery of an alert after its opening, although the first attempt fails',
  async (kind) => {
    const { deliveries, recover } = await aRejectedOpening(kind);
    await recover();
    const retried = async () => {
      await app.database.query(SEND_NOW);
      return deliveries();
    };
    await eventually(retried, areDelivered);
    expect(titles()).toEqual(['is failing', 'is failing', 'works again']);
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([1, 2]);
  },
);

it('a recovery that waits for the last attempt of its opening is sent when an admin sends the opening again', async () => {
  const { call, endpoint, deliveries, attempted, recover } = await aRejectedOpening('signed');
  await app.database.query(`update webhook_deliveries set attempts = 7 where state = 'queued'`);
  await app.database.query(SEND_NOW);
  const [opening] = await attempted(2);
  await recover();
  expect((await deliveries()).map(({ state }) => state)).toEqual(['queued', 'queued']);
  expectStatus(await call.post(`${endpoint}/deliveries/${opening?.id}/redeliver`), 202);
  await eventually(deliveries, areDelivered, 20_000);
  expect(titles()).toEqual(['is failing', 'is failing', 'is failing', 'works again']);
});
