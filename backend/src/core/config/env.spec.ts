import { generateKeyPairSync } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testSettings } from '../../../test/app.js';
import { readEnv } from './env.js';
import { settings } from './settings.js';
import { connectorSettings } from '../../connectors/registry.js';

const good = testSettings('postgresql://user:pass@127.0.0.1:5432/db');

describe('settings', () => {
  it('compile only with names that exist', () => {
    const env = readEnv(good, connectorSettings);
    // @ts-expect-error: the type check fails if a name with a typo compiles
    expect(env.PUBLIC_ULR).toBeUndefined();
  });

  it('are all described in .env.example', () => {
    const example = readFileSync(path.resolve(import.meta.dirname, '../../../../.env.example'), 'utf8');
    const described = new Set([...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));
    const names = [...Object.keys(settings.shape), ...Object.keys(connectorSettings.shape)];
    expect(names.filter((name) => !described.has(name))).toEqual([]);
  });

  it('stop the start with one message that names every missing or malformed setting', () => {
    const main = path.resolve(import.meta.dirname, '..', '..', '..', 'dist', 'src', 'main.js');
    const env = {
      PATH: process.env['PATH'],
      PORT: 'eighty',
      DATABASE_URL: 'mysql://x',
      ENCRYPTION_KEY: 'c2hvcnQ=',
      GOOGLE_ADS_API_VERSION: '25',
    };
    const { status, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8', env });
    expect(status).toBe(1);
    for (const missing of ['PUBLIC_URL', 'FIREBASE_PROJECT_ID', 'FIREBASE_API_KEY']) {
      expect(stderr).toContain(`${missing}: is missing`);
    }
    for (const malformed of ['PORT', 'DATABASE_URL', 'ENCRYPTION_KEY', 'GOOGLE_ADS_API_VERSION'])
      expect(stderr).toMatch(new RegExp(`- ${malformed}: (?!is missing)`));
    expect(stderr).not.toContain('at ');
    expect(stderr).not.toContain('c2hvcnQ=');
  });

  it.each(['true', 'all', '10.0.0.1/40', '10.0.0.0/8,nobody'])(
    'reject %s as trusted proxies, with the name of the setting',
    (text) => {
      expect(() => readEnv({ ...good, TRUSTED_PROXIES: text }, connectorSettings)).toThrow(/TRUSTED_PROXIES: must be a number/);
    },
  );

  it.each(['1', 'loopback', '10.0.0.0/8, fd00::/8', '192.0.2.1'])('accept %s as trusted proxies', (text) => {
    expect(String(readEnv({ ...good, TRUSTED_PROXIES: text }, connectorSettings).TRUSTED_PROXIES)).toBe(text);
  });

  it('reject a pool that the listeners of a worker would fill', () => {
    for (const ROLE of ['worker', 'all'])
      expect(() => readEnv({ ...good, ROLE, DATABASE_POOL_SIZE: '7' }, connectorSettings)).toThrow(
        /DATABASE_POOL_SIZE: must be at least 8/,
      );
    expect(readEnv({ ...good, ROLE: 'worker', DATABASE_POOL_SIZE: '8' }, connectorSettings)).toMatchObject({
      DATABASE_POOL_SIZE: 8,
    });
    expect(readEnv({ ...good, ROLE: 'api', DATABASE_POOL_SIZE: '2' }, connectorSettings)).toMatchObject({
      DATABASE_POOL_SIZE: 2,
    });
  });

  it('reject incomplete platform credentials and an invalid network', () => {
    expect(() => readEnv({ ...good, META_APP_ID: 'app', META_APP_SECRET: '' }, connectorSettings)).toThrow(
      /META_APP_SECRET: is missing/,
    );
    expect(() =>
      readEnv(
        { ...good, MICROSOFT_CLIENT_ID: 'a', MICROSOFT_CLIENT_SECRET: 'b', MICROSOFT_DEVELOPER_TOKEN: '' },
        connectorSettings,
      ),
    ).toThrow(/MICROSOFT_DEVELOPER_TOKEN: is missing/);
    expect(readEnv({ ...good, GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' }, connectorSettings)).not.toHaveProperty(
      'GOOGLE_CLIENT_ID',
    );
    expect(() => readEnv({ ...good, EGRESS_ALLOWED_NETWORKS: '10.0.0.0/8,10.0.0.0/99' }, connectorSettings)).toThrow(
      /EGRESS_ALLOWED_NETWORKS/,
    );
    expect(
      readEnv({ ...good, EGRESS_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8' }, connectorSettings).EGRESS_ALLOWED_NETWORKS,
    ).toHaveLength(2);
  });

  it('require all settings of Stripe and Customer.io, and accept several webhook secrets', () => {
    const stripe = { ...good, BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PRICE_ID: 'price_1' };
    expect(() => readEnv(stripe, connectorSettings)).toThrow(/STRIPE_WEBHOOK_SECRET: is missing, and BILLING=stripe needs it/);
    expect(readEnv({ ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2' }, connectorSettings).STRIPE_WEBHOOK_SECRET).toEqual([
      'whsec_1',
      'whsec_2',
    ]);
    expect(() => readEnv({ ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_1,,' }, connectorSettings)).toThrow(
      /STRIPE_WEBHOOK_SECRET: must be/,
    );
    expect(() => readEnv({ ...good, CUSTOMER_IO_SITE_ID: 'site', CUSTOMER_IO_API_KEY: '' }, connectorSettings)).toThrow(
      /CUSTOMER_IO_API_KEY: is missing/,
    );
  });

  it('reject a service account key that is malformed or of another project, without showing it', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const key = { project_id: 'demo-test', client_email: 'reader@example.com', private_key };
    const withKey = (value: string) => () => readEnv({ ...good, FIREBASE_SERVICE_ACCOUNT: value }, connectorSettings);
    expect(withKey(JSON.stringify(key))().FIREBASE_SERVICE_ACCOUNT).toEqual(key);
    const malformed = ['not JSON', '{}', JSON.stringify({ ...key, private_key: 'a-secret' })];
    for (const value of malformed) {
      expect(withKey(value)).toThrow(/FIREBASE_SERVICE_ACCOUNT: must be the JSON of a service account key/);
      expect(withKey(value)).not.toThrow(/a-secret/);
    }
    expect(withKey(JSON.stringify({ ...key, project_id: 'another' }))).toThrow(/FIREBASE_SERVICE_ACCOUNT.*FIREBASE_PROJECT_ID/);
  });

  it('reject unsigned tokens in production, unless the instance is a demo', () => {
    expect(() => readEnv({ ...good, NODE_ENV: 'production' }, connectorSettings)).toThrow(
      /FIREBASE_AUTH_EMULATOR_HOST.*unsigned/,
    );
    expect(readEnv({ ...good, NODE_ENV: 'production', IS_DEMO: 'true' }, connectorSettings).IS_DEMO).toBe(true);
  });

  it.each(['0.0.0.0', '::', '192.168.1.20', '127.0.0.1.example.com', 'tributary.example.com', '::ffff:10.0.0.1', 'localhost.'])(
    'reject a demo, or unsigned tokens, on the address %s, which other machines can reach',
    (HOST) => {
      expect(() => readEnv({ ...good, IS_DEMO: 'true', HOST }, connectorSettings)).toThrow(
        /HOST: .*other machines.* Set HOST=127\.0\.0\.1/,
      );
      expect(() => readEnv({ ...good, HOST }, connectorSettings)).toThrow(/HOST: .*other machines/);
    },
  );

  it('reject a demo with a public address', () => {
    expect(() => readEnv({ ...good, IS_DEMO: 'true', PUBLIC_URL: 'https://tributary.example.com' }, connectorSettings)).toThrow(
      /PUBLIC_URL: .*demo/,
    );
  });

  it.each(['127.0.0.1', '127.8.9.10', '::1', 'localhost', 'LOCALHOST'])('allow a demo to listen on %s', (HOST) => {
    expect(readEnv({ ...good, IS_DEMO: 'true', HOST, PUBLIC_URL: 'http://127.0.0.1:3000' }, connectorSettings).HOST).toBe(HOST);
  });

  it('allow any address with signed tokens', () => {
    expect(readEnv({ ...good, FIREBASE_AUTH_EMULATOR_HOST: '', HOST: '0.0.0.0' }, connectorSettings).HOST).toBe('0.0.0.0');
  });

  it('can come from files, and name a file that cannot be read', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
    writeFileSync(path.join(folder, 'secret'), 'from-file\n');
    const fromFile = { ...good, GOOGLE_CLIENT_SECRET: '', GOOGLE_CLIENT_SECRET_FILE: path.join(folder, 'secret') };
    expect(readEnv(fromFile, connectorSettings)).toMatchObject({ GOOGLE_CLIENT_SECRET: 'from-file' });
    rmSync(folder, { recursive: true });
    expect(() => readEnv(fromFile, connectorSettings)).toThrow(/GOOGLE_CLIENT_SECRET_FILE: cannot read/);
  });

  it('reject a value and a file for the same setting', () => {
    expect(() => readEnv({ ...good, ENCRYPTION_KEY_FILE: '/run/secrets/key' }, connectorSettings)).toThrow(
      /- Set ENCRYPTION_KEY or ENCRYPTION_KEY_FILE, not both$/,
    );
  });

  it.each(['api', 'all'])('reject the same port for metrics and the API with ROLE=%s', (ROLE) => {
    const ports = { ...good, ROLE, PORT: '3700' };
    expect(() => readEnv({ ...ports, METRICS_PORT: '3700' }, connectorSettings)).toThrow(/METRICS_PORT: must not be the PORT/);
    expect(readEnv({ ...ports, METRICS_PORT: '3701' }, connectorSettings).METRICS_PORT).toBe(3_701);
    expect(readEnv({ ...ports, PORT: '0', METRICS_PORT: '0' }, connectorSettings).METRICS_PORT).toBe(0);
  });

  it.each(['c2hvcnQ=', 'no base64!', Buffer.alloc(33).toString('base64'), 'A'.repeat(43)])(
    'list the encryption key %s once',
    (ENCRYPTION_KEY) => {
      expect(() => readEnv({ ...good, ENCRYPTION_KEY }, connectorSettings)).toThrow(
        /settings:\n {2}- ENCRYPTION_KEY: must be the base64 of exactly 32 bytes \(openssl rand -base64 32\)$/,
      );
    },
  );

  it('accept a public URL with a slash at the end, which is removed', () => {
    expect(readEnv({ ...good, PUBLIC_URL: 'http://localhost:3000/' }, connectorSettings).PUBLIC_URL).toBe(
      'http://localhost:3000',
    );
  });

  it('limit the keep-alive of the live stream to 5 to 30 seconds', () => {
    expect(() => readEnv({ ...good, LIVE_KEEP_ALIVE_SECONDS: '31' }, connectorSettings)).toThrow(
      /LIVE_KEEP_ALIVE_SECONDS: must be between 5 and 30/,
    );
  });

  it('limit the read cache of browsers to at least 1,048,576 bytes', () => {
    expect(readEnv(good, connectorSettings).READ_CACHE_BYTES).toBe(41_943_040);
    expect(readEnv({ ...good, READ_CACHE_BYTES: '1048576' }, connectorSettings).READ_CACHE_BYTES).toBe(1_048_576);
    expect(() => readEnv({ ...good, READ_CACHE_BYTES: '1048575' }, connectorSettings)).toThrow(
      /READ_CACHE_BYTES: must be at least 1048576/,
    );
  });
});
