import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { shortWaits, startTestApp, type TestApp } from '../../../test/app.js';
import { startTcpProxy } from '../../../test/connectors/tcp-proxy.js';
import { anOrganization, eventually, type Organization } from '../../../test/factories.js';
import { tokenFor } from '../../../test/http.js';
import { openStream, type Stream } from '../../../test/streams.js';
import { Notifications } from './notifications.js';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** The product, whose connection for live events goes through the given proxy. */
async function anApp(direct: (databaseUrl: URL) => Promise<string>): Promise<TestApp> {
  const app = await startTestApp(async (url) => ({ DIRECT_DATABASE_URL: await direct(new URL(url)) }), {
    ...shortWaits,
    liveCheckMs: 300,
  });
  ended.push(() => app.stop());
  return app;
}

async function aStream(app: TestApp, organization: Organization): Promise<Stream> {
  const stream = await openStream(app, organization.path, tokenFor(organization.owner));
  ended.push(() => stream.close());
  expect(stream.status).toBe(200);
  return stream;
}

/** A stream that is opened now receives events. */
async function expectEvents(app: TestApp, organization: Organization): Promise<void> {
  const event = { organizationId: organization.id, connectionId: null, type: 'alert' as const, data: { marker: 'arrived' } };
  // On a busy machine the short check may end the connection once more.
  const streams: Stream[] = [];
  await eventually(
    async () => {
      streams.push(await aStream(app, organization));
      await app.get(Notifications).publish(event);
      return streams.map((stream) => stream.text()).join('');
    },
    (text) => text.includes('arrived'),
  );
}

const through = (url: URL, port: number): string => {
  const direct = new URL(url);
  direct.hostname = '127.0.0.1';
  direct.port = String(port);
  return direct.href;
};
const targetOf = ({ hostname: host, port }: URL) => ({ host, port: Number(port) });

/** Passes everything on, but while `isBroken` a LISTEN arrives as a statement that PostgreSQL rejects. */
async function startListenBreaker(target: { host: string; port: number }) {
  const open = new Set<net.Socket>();
  const breaker = { port: 0, isBroken: true, accepted: 0, openCount: () => open.size };
  const server = net.createServer((client) => {
    breaker.accepted += 1;
    open.add(client);
    const upstream = net.connect(target.port, target.host);
    client
      .on('error', () => undefined)
      .on('close', () => {
        open.delete(client);
        upstream.destroy();
      });
    upstream.on('error', () => undefined).on('close', () => client.destroy());
    client.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      upstream.write(breaker.isBroken ? text.replace('listen', 'lizten') : text, 'latin1');
    });
    upstream.on('data', (bytes: Buffer) => client.write(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  breaker.port = (server.address() as AddressInfo).port;
  ended.push(() => server.close());
  return breaker;
}

describe('open event streams end, so that browsers load again what they missed,', () => {
  it('when PostgreSQL ended the connection for live events', async () => {
    const app = await anApp(async (url) => url.href);
    const organization = await anOrganization(app);
    const stream = await aStream(app, organization);
    const since = performance.now();
    await app.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'tributary-live'`,
    );
    expect(await stream.endedAfter(since)).toBeGreaterThan(0);
    await expectEvents(app, organization);
  });

  it('when the network to PostgreSQL is interrupted without notice', async () => {
    let proxy: Awaited<ReturnType<typeof startTcpProxy>> | undefined;
    const app = await anApp(async (url) => {
      proxy = await startTcpProxy(targetOf(url));
      ended.push(() => proxy?.stop());
      return through(url, proxy.port);
    });
    const organization = await anOrganization(app);
    const stream = await aStream(app, organization);
    proxy?.cut();
    // The check of the connection, and the first message of a new one.
    await proxy?.nextSwallowed();
    await proxy?.nextSwallowed();
    proxy?.resume();
    const since = performance.now();
    expect(await stream.endedAfter(since)).toBeGreaterThan(0);
    await expectEvents(app, organization);
  });
});

it('a process that cannot listen leaves no connection open, and listens as soon as it can', async () => {
  let breaker: Awaited<ReturnType<typeof startListenBreaker>> | undefined;
  const app = await anApp(async (url) => {
    breaker = await startListenBreaker(targetOf(url));
    return through(url, breaker.port);
  });
  const organization = await anOrganization(app);
  // The last attempt may still be open; the ones before it are not.
  await eventually(
    async () => ({ accepted: breaker?.accepted ?? 0, open: breaker?.openCount() ?? 0 }),
    ({ accepted, open }) => accepted >= 4 && open <= 1,
    20_000,
  );
  const stream = await aStream(app, organization);
  if (breaker) breaker.isBroken = false;
  expect(await stream.endedAfter(performance.now())).toBeGreaterThan(0);
  await expectEvents(app, organization);
});
