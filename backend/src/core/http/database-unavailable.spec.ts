import type { ArgumentsHost } from '@nestjs/common';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { startTcpProxy, type TcpProxy } from '../../../test/connectors/tcp-proxy.js';
import { RetryLater } from '../../connectors/kit/errors.js';
import { isConnectionLost } from '../database/connection-lost.js';
import { ProblemFilter } from './problem-filter.js';
import { anOrganization, eventually, type Organization } from '../../../test/factories.js';

let app: TestApp;
let network: TcpProxy;
let organization: Organization;
const logged: string[] = [];

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => logged.push(String(text)) > 0);
  app = await startTestApp(async (databaseUrl) => {
    const address = new URL(databaseUrl);
    network = await startTcpProxy({ host: address.hostname, port: Number(address.port) });
    address.hostname = '127.0.0.1';
    address.port = String(network.port);
    return { DATABASE_URL: address.href, LOG_LEVEL: 'error' };
  });
  organization = await anOrganization(app);
});
afterAll(async () => {
  vi.restoreAllMocks();
  // The application's pool would wait for the sockets of a disconnected network.
  await network?.stop();
  await app?.stop();
});

describe('without its database, the API returns 503 with a time to retry', () => {
  beforeAll(() => network.close());

  it.each<[string, () => ReturnType<Organization['call']['get']>]>([
    ['a list that SQL reads', () => organization.call.get(`${organization.path}/connections`)],
    ['an entry that Prisma reads', () => organization.call.get('/api/v1/me')],
    ['a write of a specified endpoint', () => organization.call.post('/api/createOrganization', { companyName: 'Southwind' })],
  ])('to %s', async (_what, call) => {
    const { status, body, headers } = await call();
    expect({ status, retryAfter: headers.get('retry-after'), body }).toMatchObject({
      status: 503,
      retryAfter: '5',
      body: {
        code: 'database.unavailable',
        detail: 'The database cannot be reached at the moment.',
        action: 'Try again in a few seconds',
      },
    });
    const { requestId } = body as { requestId: string };
    const entries = logged.map((line) => JSON.parse(line) as { msg: string; req?: { id: string } });
    expect(entries.filter(({ req }) => req?.id === requestId)).toMatchObject([
      { msg: 'request failed', err: { message: expect.any(String) as string } },
    ]);
  });

  it('and serves requests again when the database is back', async () => {
    await network.open();
    await eventually(
      async () => (await organization.call.get(`${organization.path}/connections`)).status,
      (status) => status === 200,
    );
  });
});

describe('is not reported as a database outage:', () => {
  it('a network error of another server', async () => {
    // Nothing listens on port 1.
    const refused: unknown = await fetch('http://127.0.0.1:1').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TypeError);
    expect(isConnectionLost(refused)).toBe(false);
  });

  it("a lost connection to a user's server", () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const detail = { code: 'postgresql.unreachable', message: 'The server does not respond.', action: 'Check the host' };
    const statuses: number[] = [];
    const response = { status: (status: number) => statuses.push(status), type: () => response, send: () => undefined };
    const http = { getRequest: () => ({ path: '/api/v1/me', originalUrl: '/api/v1/me' }), getResponse: () => response };
    new ProblemFilter(pino({ level: 'silent' })).catch(new RetryLater(detail, { cause }), {
      switchToHttp: () => http,
    } as unknown as ArgumentsHost);
    expect(statuses).toEqual([500]);
  });
});
