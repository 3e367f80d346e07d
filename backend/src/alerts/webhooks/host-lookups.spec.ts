import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { startEarlyInAMinute } from '../../../test/clock.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import type { Answer } from '../../../test/http.js';
import { type NameServer, startNameServer } from '../../../test/name-server.js';
import type { WebhookDeliveryPage, WebhookWithSecret } from './webhook-endpoints.dto.js';

const LIMIT = 3;

let names: NameServer;
let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  names = await startNameServer();
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

describe('names of this system', () => {
  const HOSTS = '# comment\n127.0.0.1 localhost Warehouse # of the operator\n9.9.9.9 public.example.com\n';
  const SEARCH = 'nameserver 10.0.0.10\nsearch default.svc.cluster.local svc.cluster.local\noptions ndots:5\n';
  let id: string;
  const isAllowedAt = async (networks: string, host: string): Promise<boolean> => {
    await start({ EGRESS_ALLOWED_NETWORKS: networks });
    await names.setSystemNames(HOSTS, SEARCH);
    id = await create('https://8.8.8.8/');
    return (await change(id, `https://${host}/`)).status === 200;
  };

  it('are those of /etc/hosts and of search domains where the operator allows networks', async () => {
    names.zone.set('postgres.dev.svc.cluster.local', [['127.0.0.2']]);
    expect(await isAllowedAt('127.0.0.0/8', 'warehouse')).toBe(true);
    expect((await change(id, 'https://postgres.dev/', 2)).status).toBe(200);
    expect((await change(id, 'https://unknown.example.com/', 3)).status).toBe(400);
  });

  it('take precedence over public names, which are not asked for', async () => {
    names.zone.set('postgres.dev.svc.cluster.local', [['10.0.0.1']]);
    names.zone.set('postgres.dev', [['8.8.4.4']]);
    expect(await isAllowedAt('127.0.0.0/8', 'postgres.dev')).toBe(false);
    names.zone.set('postgres.dev.svc.cluster.local', 'failure');
    expect((await change(id, 'https://postgres.dev/')).status).toBe(400);
    names.asked.length = 0;
    expect((await change(id, 'https://public.example.com/')).status).toBe(200);
    expect(names.asked).toEqual([]);
  });

  it('do not exist where the operator allows no networks', async () => {
    expect(await isAllowedAt('', 'warehouse')).toBe(false);
    names.zone.set('postgres.dev', [['8.8.4.4']]);
    expect((await change(id, 'https://postgres.dev/')).status).toBe(200);
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
