import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { startEarlyInAMinute } from '../../../test/clock.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import type { Answer } from '../../../test/http.js';
import { type NameServer, startNameServer } from '../../../test/name-server.js';
import type { WebhookDeliveryPage, WebhookWithSecret } from './webhook-endpoints.dto.js';

const LIMIT = 3;
const forever = (): Promise<never> => new Promise(() => undefined);

let names: NameServer;
let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  names = await startNameServer();
  names.setSystemLookup(forever);
  names.zone.set('silent.example.com', 'silence');
  names.zone.set('public.example.com', [['8.8.8.8']]);
});
afterAll(async () => {
  await app?.stop();
  names?.stop();
});
beforeEach(async () => {
  await app?.stop();
});

const start = async (settings: Record<string, string>): Promise<void> => {
  app = await startTestApp({ ROLE: 'all', ...settings });
  organization = await anOrganization(app);
};
const pathOf = (id = '') => `${organization.path}/webhook-endpoints${id && `/${id}`}`;
const create = async (url: string): Promise<string> => {
  const body = { kind: 'signed', name: 'Pager', url };
  return expectStatus(await organization.call.post<WebhookWithSecret>(pathOf(), body), 201).body.endpoint.id;
};
const change = (id: string, url: string, version = 1): Promise<Answer<unknown>> =>
  organization.call.patch(pathOf(id), { url, version });

describe('a host whose name server does not answer', () => {
  it('is rejected within seconds, and other names are looked up in the meantime', async () => {
    await start({ EGRESS_ALLOWED_NETWORKS: '' });
    const [id, other] = [await create('https://8.8.8.8/'), await create('https://8.8.8.8/')];
    let waiting = 10;
    const slow = Array.from({ length: 10 }, () => change(id, 'https://silent.example.com/').finally(() => (waiting -= 1)));
    expectStatus(await change(other, 'https://public.example.com/'), 200);
    expect(waiting).toBe(10);
    for (const answer of await Promise.all(slow)) expectStatus(answer, 400);
  });

  it('ends a delivery within its time limit', async () => {
    await start({ EGRESS_ALLOWED_NETWORKS: '' });
    const id = await create('https://8.8.8.8/');
    await app.database.query('update webhook_endpoints set url = $2 where id = $1', [id, 'https://silent.example.com/']);
    expectStatus(await organization.call.post(`${pathOf(id)}/test`), 202);
    const { lastError } = await eventually(
      async () => (await organization.call.get<WebhookDeliveryPage>(`${pathOf(id)}/deliveries`)).body.items[0]!,
      ({ history }) => history.length > 0,
    );
    expect(lastError).toBe('The receiver did not respond within 1 s.');
  });
});

describe('a name that only the system knows', () => {
  it('is looked up where the operator allows networks, and ends within seconds', async () => {
    await start({ EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8' });
    const id = await create('https://127.0.0.1/');
    names.setSystemLookup(() => Promise.resolve([{ address: '127.0.0.1', family: 4 }]));
    expectStatus(await change(id, 'https://warehouse/'), 200);
    names.setSystemLookup(forever);
    const answers = await Promise.all([change(id, 'https://warehouse/', 2), change(id, 'https://other/', 2)]);
    for (const answer of answers) expectStatus(answer, 400);
  });

  it('does not exist where the operator allows none', async () => {
    await start({ EGRESS_ALLOWED_NETWORKS: '' });
    const id = await create('https://8.8.8.8/');
    names.setSystemLookup(() => Promise.resolve([{ address: '9.9.9.9', family: 4 }]));
    expectStatus(await change(id, 'https://warehouse/'), 400);
    names.setSystemLookup(forever);
  });
});

it('requests that look up or contact hosts are limited per minute and organization', async () => {
  await start({ RATE_LIMITS: 'on', RATE_LIMIT_CHECKS_PER_ORGANIZATION: String(LIMIT) });
  await startEarlyInAMinute(10_000);
  const id = await create('https://127.0.0.1/');
  for (let version = 1; version < LIMIT; version += 1) expectStatus(await change(id, 'https://127.0.0.1/', version), 200);
  const configuration = `${organization.path}/configuration`;
  const { body: file } = await organization.call.get<object>(configuration);
  for (const answer of [
    await change(id, 'https://127.0.0.1/', LIMIT),
    await organization.call.post(pathOf(), { kind: 'signed', name: 'Pager', url: 'https://127.0.0.1/' }),
    await organization.call.post(`${pathOf(id)}/test`),
    await organization.call.post(`${pathOf(id)}/deliveries/${id}/redeliver`),
    await organization.call.post(`${configuration}/plan`, file),
    await organization.call.post(`${configuration}/apply?digest=${'0'.repeat(64)}`, file),
  ])
    expect(expectStatus(answer, 429).body).toMatchObject({ code: 'rate_limit.exceeded' });
});
