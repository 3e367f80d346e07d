import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEarlyInAMinute } from '../../test/clock.js';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, eventually, type Organization } from '../../test/factories.js';
import type { Answer } from '../../test/http.js';
import { type HostileBehavior, type HostilePostgres, startHostilePostgres } from '../../test/hostile-postgres.js';
import type { DestinationCheck } from './destinations.dto.js';

const LIMIT = 6;
let app: TestApp;
const servers: HostilePostgres[] = [];

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMITS: 'on', RATE_LIMIT_CHECKS_PER_ORGANIZATION: String(LIMIT) });
});
afterAll(() => app?.stop());
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function hostile(behaviour: HostileBehavior): Promise<HostilePostgres> {
  const server = await startHostilePostgres(behaviour);
  servers.push(server);
  return server;
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const bodyFor = (host: string, port: number) => ({
  provider: 'postgresql',
  settings: { host, port, database: 'd', user: 'u', sslMode: 'disable' },
  credentials: { password: 'p' },
});
const check = ({ call, path }: Organization, host: string, port: number): Promise<Answer<DestinationCheck>> =>
  call.post<DestinationCheck>(`${path}/destinations/check`, bodyFor(host, port));

describe('hosts that cannot be reached', () => {
  it('return the same error for every cause', async () => {
    const [closes, web, silent, port] = [
      await hostile('closes'),
      await hostile('not_postgresql'),
      await hostile('silent'),
      await closedPort(),
    ];
    const places: [string, number][] = [
      ['127.0.0.1', port],
      ['127.0.0.1', closes.port],
      ['127.0.0.1', web.port],
      ['127.0.0.1', silent.port],
      ['nowhere.invalid', port],
      ['10.0.0.1', port],
      ['169.254.169.254', 80],
    ];
    const answers = new Set<string>();
    for (const [host, placePort] of places) {
      const { body } = await check(await anOrganization(app), host, placePort);
      answers.add(JSON.stringify(body).replaceAll(host, 'HOST').replaceAll(`port ${placePort}`, 'port PORT'));
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toContain('"code":"connects"');
  });
});

describe('checks', () => {
  it('are rejected beyond the limit of their organization, on every route that checks settings; other organizations are not affected', async () => {
    await startEarlyInAMinute(15_000);
    const [eager, calm] = [await anOrganization(app), await anOrganization(app)];
    const port = await closedPort();
    for (let done = 0; done < LIMIT; done++) expect((await check(eager, '127.0.0.1', port)).status).toBe(200);
    const id = '01977f2e-0000-7000-8000-000000000000';
    const destinations = `${eager.path}/destinations`;
    const refused = [
      await eager.call.post(`${destinations}/check`, bodyFor('127.0.0.1', port)),
      await eager.call.post(destinations, { ...bodyFor('127.0.0.1', port), name: 'Warehouse' }),
      await eager.call.patch(`${destinations}/${id}`, { name: 'Warehouse', version: 1 }),
      await eager.call.post(`${destinations}/${id}/check`),
      await eager.call.post(`${destinations}/${id}/test-event`),
    ];
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 429,
        body: { code: 'rate_limit.exceeded', detail: expect.stringContaining('hosts of users') },
      });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await check(calm, '127.0.0.1', port)).status).toBe(200);
  });

  it('are limited to four concurrent ones per organization and sixteen per process', async () => {
    await startEarlyInAMinute(15_000);
    const slow = await hostile('slow_drip');
    const running: Promise<Answer<DestinationCheck>>[] = [];
    const organizations: Organization[] = [];
    for (let made = 0; made < 5; made++) organizations.push(await anOrganization(app));
    const [first, second, third, fourth, fifth] = organizations as [
      Organization,
      Organization,
      Organization,
      Organization,
      Organization,
    ];
    const startFour = (organization: Organization) => {
      for (let started = 0; started < 4; started++) running.push(check(organization, '127.0.0.1', slow.port));
    };
    startFour(first);
    await eventually(
      () => Promise.resolve(slow.connections()),
      (connections) => connections >= 8,
    );
    expect(await check(first, '127.0.0.1', slow.port)).toMatchObject({ status: 429, body: { code: 'rate_limit.exceeded' } });
    for (const organization of [second, third, fourth]) startFour(organization);
    await eventually(
      () => Promise.resolve(slow.connections()),
      (connections) => connections >= 32,
    );
    expect(await check(fifth, '127.0.0.1', slow.port)).toMatchObject({ status: 429, body: { code: 'rate_limit.exceeded' } });
    expect((await app.http.as(fifth.owner).get('/api/v1/me')).status).toBe(200);
    await slow.stop();
    servers.length = 0;
    for (const { status } of await Promise.all(running)) expect(status).toBe(200);
    expect((await check(fifth, '127.0.0.1', await closedPort())).status).toBe(200);
  });
});
