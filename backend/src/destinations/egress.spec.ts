import net from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import {
  aConnection,
  aDestination,
  anOrganization,
  destinationBody,
  eventually,
  expectStatus,
  type Organization,
} from '../../test/factories.js';
import { type NameServer, startNameServer } from '../../test/name-server.js';
import { isAllowed } from '../connectors/kit/egress.js';
import type { DestinationCheck, DestinationEntry } from './destinations.dto.js';

const names: Record<string, string[]> = {
  'metadata.google.internal': ['169.254.169.254'],
  'private.example.com': ['10.1.2.3'],
  'one-of-two.example.com': ['8.8.8.8', '192.168.0.10'],
  'last-of-many.example.com': ['8.8.8.8', '9.9.9.9', '1.1.1.1', '2606:4700::1111', 'fd00::1'],
  'mapped.example.com': ['::ffff:172.16.0.1'],
};

/** https://www.iana.org/assignments/iana-ipv4-special-registry and -ipv6-special-registry, and their other notations. */
const REFUSED: [string, string[]][] = [
  ['loopback', ['127.0.0.1', '127.255.255.254', 'localhost', '::1', '[::1]', '0:0:0:0:0:0:0:1']],
  ['loopback in other notations', ['2130706433', '0x7f000001', '0x7f.0.0.1', '017700000001', '0177.0.0.1', '127.1', '127.0.1']],
  ['IPv4 within IPv6', ['::ffff:127.0.0.1', '[::ffff:127.0.0.1]', '::ffff:7f00:1', '::127.0.0.1', '::ffff:0:127.0.0.1']],
  ['this host', ['0.0.0.0', '0', '0.1.2.3', '::', '[::]']],
  ['private networks', ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1', '0xc0a80101', '3232235777']],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
  ['link-local and metadata', ['169.254.169.254', '0xa9fea9fe', '2852039166', '169.254.0.1', 'fe80::1', '[fe80::a9fe:a9fe]']],
  ['unique local and site-local', ['fc00::1', 'fd12:3456:789a::1', 'fd00:ec2::254', 'fec0::1']],
  // Azure, Alibaba Cloud, Oracle Cloud, Amazon, and Google by IPv6.
  [
    'metadata elsewhere',
    [
      '168.63.129.16',
      '0xa83f8110',
      '::ffff:168.63.129.16',
      '64:ff9b::a83f:8110',
      '100.100.100.200',
      '192.0.0.192',
      '[fd00:ec2::254]',
      'fd20:ce::254',
    ],
  ],
  ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1']],
  ['reserved', ['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '255.255.255.255']],
  ['reserved in IPv6', ['2001:db8::1', '3fff::1', '100::1', '5f00::1', '4000::1', '2001:2::1', '2001:10::1', '2001:20::1']],
  ['NAT64', ['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a00:1']],
  ['6to4 and Teredo', ['2002:7f00:1::', '2002:a00:1::1', '2002:a9fe:a9fe::', '2001:0:4136:e378:8000:63bf:3fff:fdd2']],
  ['names', Object.keys(names)],
];
const everyRefused = REFUSED.flatMap(([what, hosts]) => hosts.map((host): [string, string] => [host, what]));
const ACTION = 'Check the host, port and firewall. The operator must allow hosts that are not public (EGRESS_ALLOWED_NETWORKS)';
const messageOf = (host: string): string =>
  `No PostgreSQL server could be reached at ${host} on port ${warehouse.settings.port}.`;
/** A run reports more details than a check, because a host must pass a check before a run connects to it. */
const RUN_ACTION = 'Use a public host name, or ask the operator to allow the network in EGRESS_ALLOWED_NETWORKS';
const runMessageOf = (host: string): string =>
  `${host} is not a public address. This installation connects to public addresses only.`;

let nameServer: NameServer;
let strict: TestApp;
let warehouse: Warehouse;
let organization: Organization;

const bodyOf = (host: string) => {
  const { settings, ...rest } = destinationBody(warehouse) as { settings: object };
  return { ...rest, settings: { ...settings, host } };
};
const checkOf = (host: string) => {
  const { name: _name, ...body } = bodyOf(host) as Record<string, unknown>;
  return body;
};

beforeAll(async () => {
  nameServer = await startNameServer();
  warehouse = await startWarehouse();
  strict = await startTestApp({ EGRESS_ALLOWED_NETWORKS: '' });
  organization = await anOrganization(strict);
});
afterAll(async () => {
  await strict?.stop();
  await warehouse?.stop();
  nameServer?.stop();
});
beforeEach(() => {
  nameServer.zone.clear();
  nameServer.asked.length = 0;
  for (const [name, addresses] of Object.entries(names)) nameServer.zone.set(name, [addresses]);
});

describe('a database host in a private network', () => {
  it.each(everyRefused)('%s (%s) is rejected with the same error, and nothing is saved', async (host) => {
    const refused = { code: 'connects', state: 'failed', detail: messageOf(host), action: ACTION, durationMs: 0 };
    const check = await organization.call.post<DestinationCheck>(`${organization.path}/destinations/check`, checkOf(host));
    expect(check).toMatchObject({ status: 200, body: { isPassed: false } });
    expect(check.body.items[0]).toMatchObject(refused);
    expect(check.body.items.slice(1).every(({ state }) => state === 'skipped')).toBe(true);
    const made = await organization.call.post(`${organization.path}/destinations`, bodyOf(host));
    expect(made).toMatchObject({
      status: 422,
      body: { code: 'destination.check_failed', detail: messageOf(host), action: ACTION },
    });
    expect(await strict.database.query('select 1 from destinations where organization_id = $1', [organization.id])).toEqual([]);
  });

  it('receives no connection attempt', async () => {
    const trap = net.createServer((socket) => socket.destroy());
    let arrivals = 0;
    trap.on('connection', () => (arrivals += 1));
    await once(trap.listen(0, '127.0.0.1'), 'listening');
    const { port } = trap.address() as net.AddressInfo;
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '127.1', '::ffff:127.0.0.1']) {
      const body = checkOf(host) as { settings: object };
      await organization.call.post(`${organization.path}/destinations/check`, { ...body, settings: { ...body.settings, port } });
    }
    trap.close();
    expect(arrivals).toBe(0);
  });
});

it('connects to a private address of a cloud platform once the operator allows it', () => {
  expect(isAllowed('168.63.129.16', { allowed: ['10.0.0.0/8'] })).toBe(false);
  expect(isAllowed('168.63.129.16', { allowed: ['168.63.129.16/32'] })).toBe(true);
  expect(isAllowed('168.63.129.17', { allowed: [] })).toBe(true);
});

describe('a network that the operator allows', () => {
  let open: TestApp;
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
    open = await startTestApp({ EGRESS_ALLOWED_NETWORKS: '127.0.0.1/32', ROLE: 'all', ...sandboxSettings(sandbox.url) });
  });
  afterAll(async () => {
    await open?.stop();
    await sandbox?.stop();
  });
  beforeEach(async () => {
    organization = await anOrganization(open);
  });

  it('is reachable by its address in any notation and by name, and other networks are not', async () => {
    nameServer.zone.set('warehouse.example.com', [['127.0.0.1']]);
    for (const host of ['127.0.0.1', '::ffff:127.0.0.1', '2130706433', 'warehouse.example.com']) {
      const { body } = await organization.call.post<DestinationCheck>(`${organization.path}/destinations/check`, checkOf(host));
      expect({ host, isPassed: body.isPassed }).toEqual({ host, isPassed: true });
    }
    for (const host of ['127.0.0.2', '10.0.0.1', '::1']) {
      const { body } = await organization.call.post<DestinationCheck>(`${organization.path}/destinations/check`, checkOf(host));
      expect(body.items[0]).toMatchObject({ detail: messageOf(host), action: ACTION });
    }
  });

  it('is the only target of a check: the name is resolved once, and a later DNS change has no effect', async () => {
    const trap = net.createServer((socket) => socket.destroy());
    let arrivals = 0;
    trap.on('connection', () => (arrivals += 1));
    await once(trap.listen(warehouse.settings.port, '127.0.0.2'), 'listening');
    nameServer.zone.set('rebinding.example.com', [['127.0.0.1'], ['127.0.0.2']]);
    const { body } = await organization.call.post<DestinationCheck>(
      `${organization.path}/destinations/check`,
      checkOf('rebinding.example.com'),
    );
    trap.close();
    expect(nameServer.asked).toEqual(['rebinding.example.com']);
    expect(body.isPassed).toBe(true);
    expect(arrivals).toBe(0);
  });

  it('is enforced when a destination is changed', async () => {
    const id = await aDestination(organization, warehouse);
    const { settings } = bodyOf('10.0.0.1');
    const answer = await organization.call.patch(`${organization.path}/destinations/${id}`, {
      settings,
      credentials: { password: warehouse.settings.password },
      version: 1,
    });
    expect(answer).toMatchObject({ status: 422, body: { detail: messageOf('10.0.0.1'), action: ACTION } });
    const { body } = await organization.call.get<DestinationEntry>(`${organization.path}/destinations/${id}`);
    expect(body).toMatchObject({ version: 1, settings: { host: warehouse.settings.host } });
  });

  it('is enforced when a run begins, and the destination shows the error', async () => {
    nameServer.zone.set('moved.example.com', [['127.0.0.1']]);
    const moved = { ...warehouse, settings: { ...warehouse.settings, host: 'moved.example.com' } };
    const connection = await aConnection(organization, moved, { historyDays: 3 });
    const newest = async () =>
      (
        await organization.call.get<{ items: { state: string; failure: object | null }[] }>(
          `${organization.path}/runs?connectionId=${connection.id}&limit=1`,
        )
      ).body.items[0];
    await eventually(newest, (run) => run?.state === 'succeeded');
    nameServer.zone.set('moved.example.com', [['169.254.169.254']]);
    expectStatus(await organization.call.post(`${connection.path}/run`), 202);
    const run = await eventually(newest, (last) => last?.state === 'failed');
    expect(run?.failure).toMatchObject({
      code: 'egress.refused',
      message: runMessageOf('moved.example.com'),
      action: RUN_ACTION,
    });
    const { body } = await organization.call.get<{ items: DestinationEntry[] }>(`${organization.path}/destinations`);
    expect(body.items[0]).toMatchObject({ state: 'unreachable', failure: { code: 'egress.refused', action: RUN_ACTION } });
  });
});

describe('addresses of the platforms', () => {
  it('are set only by the operator: no form contains one, and none is accepted', async () => {
    organization = await anOrganization(strict);
    const { body } = await organization.call.get<{ connectors: { provider: string; settingsSchema: object | null }[] }>(
      '/api/v1/catalog',
    );
    for (const { provider, settingsSchema } of body.connectors.filter((connector) => connector.provider !== 'postgresql')) {
      const asked = Object.keys((settingsSchema as { properties?: object } | null)?.properties ?? {});
      expect({ provider, asked: asked.filter((name) => /host|url|uri|endpoint|address|domain/i.test(name)) }).toEqual({
        provider,
        asked: [],
      });
    }
  });
});
