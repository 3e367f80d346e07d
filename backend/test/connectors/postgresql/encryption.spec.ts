import { randomUUID } from 'node:crypto';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlConnector, postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import { type PostgresqlSettings, settingsSchema } from '../../../src/connectors/postgresql/settings.js';
import { type Authority, makeAuthority, type ServerCertificate } from '../certificates.js';
import { aContext } from '../context.js';
import { aRow, aSlice, campaignDaily, pagesOf, sumRowsByDay } from '../rows.js';
import { startTlsProxy, type TlsProxy } from '../tls-proxy.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

type Mode = PostgresqlSettings['sslMode'];
let warehouse: Warehouse;
let trusted: Authority;
let unknown: Authority;
const fronts: TlsProxy[] = [];
const usualAuthorities = tls.getCACertificates('default');

beforeAll(async () => {
  warehouse = await startWarehouse();
  [trusted, unknown] = [await makeAuthority('an authority that is trusted'), await makeAuthority('an authority of nobody')];
  // Like NODE_EXTRA_CA_CERTS for a whole process.
  tls.setDefaultCACertificates([...usualAuthorities, trusted.cert]);
});
afterEach(async () => {
  for (const proxy of fronts.splice(0)) await proxy.stop();
});
afterAll(async () => {
  tls.setDefaultCACertificates(usualAuthorities);
  await warehouse.stop();
});

async function frontWith(certificate: ServerCertificate | null): Promise<TlsProxy> {
  const proxy = await startTlsProxy(warehouse.settings, certificate);
  fronts.push(proxy);
  return proxy;
}

const behind = ({ port }: TlsProxy, sslMode: Mode, host = 'localhost') =>
  postgresqlDestination({ ...warehouse.settings, host, port, sslMode }, ownNetwork);

async function encryptionItem(proxy: TlsProxy, mode: Mode, host?: string) {
  const destination = behind(proxy, mode, host);
  const items = await destination.check(aContext());
  await destination.close();
  return items.find(({ code }) => code === 'encrypts');
}

/** Loads a whole slice, from creating its table to reading its totals. */
async function load(proxy: TlsProxy, mode: Mode, host?: string) {
  const destination = behind(proxy, mode, host);
  try {
    await destination.prepare(aContext(), [campaignDaily]);
    await destination.write(aContext(), aSlice(), pagesOf([aRow()]), { runId: randomUUID(), leaseEpoch: 1n });
    return await destination.totals(aContext(), aSlice());
  } finally {
    await destination.close();
  }
}

describe('verify-full', () => {
  it.each<[string, () => Promise<ServerCertificate>, string, object]>([
    [
      'a certificate of another name',
      () => trusted.issue({ dns: 'db.example.com' }),
      'localhost',
      {
        code: 'postgresql.err_tls_cert_altname_invalid',
        message: "The server's certificate is not valid for localhost.",
        action: 'Enter the host name of the certificate, or select the encryption "require"',
      },
    ],
    [
      'a certificate for a name when an address was entered',
      () => trusted.issue({ dns: 'localhost' }),
      '',
      { code: 'postgresql.err_tls_cert_altname_invalid' },
    ],
    [
      'an unknown authority',
      () => unknown.issue({ dns: 'localhost' }),
      'localhost',
      {
        code: 'postgresql.unable_to_verify_leaf_signature',
        message: 'The certificate of localhost is from an untrusted authority.',
        action: 'Ask the operator to trust the authority (NODE_EXTRA_CA_CERTS), or select the encryption "require"',
      },
    ],
    [
      'a certificate that has expired',
      () => trusted.issue({ dns: 'localhost', isExpired: true }),
      'localhost',
      {
        code: 'postgresql.cert_has_expired',
        message: 'The certificate of localhost has expired.',
        action: "Renew the server's certificate",
      },
    ],
  ])('rejects %s before sending the password, in the check and in a load', async (_name, issue, host, failure) => {
    const proxy = await frontWith(await issue());
    await expect(load(proxy, 'verify-full', host || proxy.address)).rejects.toMatchObject({ name: 'FixSettings', ...failure });
    const item = await encryptionItem(proxy, 'verify-full', host || proxy.address);
    const { message, action } = failure as { message?: string; action?: string };
    expect(item).toMatchObject({ state: 'failed', ...(message && { detail: message, action }) });
    expect(proxy.connections).toEqual([]);
  });

  it.each<[string, (proxy: TlsProxy) => string]>([
    ['name', () => 'localhost'],
    ['address', ({ address }) => address],
  ])('loads with encryption if the certificate matches the %s and its authority is trusted', async (kind, hostOf) => {
    const probe = await frontWith(null);
    const certificate = await trusted.issue(kind === 'name' ? { dns: 'localhost' } : { ip: probe.address });
    const proxy = await frontWith(certificate);
    expect(await encryptionItem(proxy, 'verify-full', hostOf(proxy))).toMatchObject({
      state: 'passed',
      detail: 'TLS, certificate verified',
    });
    expect(await load(proxy, 'verify-full', hostOf(proxy))).toMatchObject(sumRowsByDay([aRow()]));
    expect(new Set(proxy.connections)).toEqual(new Set(['encrypted']));
  });
});

describe('without verification', () => {
  it.each<Mode>(['require', 'prefer'])('%s encrypts, whatever the certificate says', async (mode) => {
    const proxy = await frontWith(await unknown.issue({ dns: 'db.example.com', isExpired: true }));
    expect(await encryptionItem(proxy, mode)).toMatchObject({ state: 'passed', detail: 'TLS, certificate not verified' });
    expect(await load(proxy, mode)).toMatchObject(sumRowsByDay([aRow()]));
    expect(new Set(proxy.connections)).toEqual(new Set(['encrypted']));
  });

  it.each<Mode>(['require', 'verify-full'])('%s sends nothing to a server that has no encryption', async (mode) => {
    const proxy = await frontWith(null);
    await expect(load(proxy, mode)).rejects.toMatchObject({ name: 'FixSettings', code: 'postgresql.no_tls' });
    expect(proxy.connections).toEqual([]);
  });

  it('prefer continues unencrypted with a warning if the server has no encryption', async () => {
    const proxy = await frontWith(null);
    expect(await encryptionItem(proxy, 'prefer')).toMatchObject({ state: 'passed', detail: 'Not encrypted', isWarning: true });
    expect(await load(proxy, 'prefer')).toMatchObject(sumRowsByDay([aRow()]));
    expect(new Set(proxy.connections)).toEqual(new Set(['plain']));
  });

  it('disable does not request encryption', async () => {
    const proxy = await frontWith(await trusted.issue({ dns: 'localhost' }));
    expect(await encryptionItem(proxy, 'disable')).toMatchObject({ state: 'passed', detail: 'Not encrypted', isWarning: true });
    expect(await load(proxy, 'disable')).toMatchObject(sumRowsByDay([aRow()]));
    expect(new Set(proxy.connections)).toEqual(new Set(['plain']));
  });
});

describe('automatic mode', () => {
  const settled = async (proxy: TlsProxy, settings: object = {}, host = 'localhost') => {
    const { password: _password, sslMode: _mode, ...rest } = warehouse.settings;
    const connector = postgresqlConnector(ownNetwork);
    const given = settingsSchema.parse({ ...rest, host, port: proxy.port, ...settings });
    return (await connector.settle?.(given, new AbortController().signal))?.['sslMode'];
  };

  it('becomes verify-full if the certificate is valid for the host', async () => {
    expect(await settled(await frontWith(await trusted.issue({ dns: 'localhost' })))).toBe('verify-full');
  });

  it.each<[string, () => Promise<ServerCertificate | null>]>([
    ['of another name', () => trusted.issue({ dns: 'db.example.com' })],
    ['of an unknown authority', () => unknown.issue({ dns: 'localhost' })],
    ['that has expired', () => trusted.issue({ dns: 'localhost', isExpired: true })],
    ['that does not exist', () => Promise.resolve(null)],
  ])('becomes require with a certificate %s, without a sign-in', async (_what, issue) => {
    const proxy = await frontWith(await issue());
    expect(await settled(proxy)).toBe('require');
    expect(proxy.connections).toEqual([]);
  });

  it('keeps another selected mode', async () => {
    expect(await settled(await frontWith(await trusted.issue({ dns: 'localhost' })), { sslMode: 'prefer' })).toBe('prefer');
  });
});
