import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { imageOf, readCompose, servicesOf } from '../demo/test/compose-services.ts';
import { inRepository } from '../repository.ts';
import { openDataFolder } from '../start/data-folder.ts';
import type { Plan } from '../start/plan.ts';
import { productSettings } from '../start/product.ts';

const compose = readCompose();
const demo = servicesOf(compose, 'demo');
const names = Object.keys(demo);
const PRODUCT = ['demo-migrate', 'demo-api', 'demo-worker'];
const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(demo[name]!.environment ?? {}).map(([key, value]) => [key, String(value)]));
const withoutFile = (name: string): string => name.replace(/_FILE$/, '');

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'demo-profile-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The settings of make start with the ports of the profile. */
function settingsOfStart(): Record<string, string> {
  const ports = { product: 3000, auth: 9099, sandbox: 3010, mail: 3020, smtp: 3025 } as Plan['ports'];
  const plan = { data: openDataFolder(folder), ports, secrets: {}, isDevelopment: false, isBilled: false, extension: null };
  const databases = { product: '', productOwner: '', warehouse: '', warehouseForFaults: '' };
  return productSettings(plan as unknown as Plan, databases);
}

describe('profile demo of docker-compose.yml', () => {
  it('is started only with --profile demo, and the other services without it', () => {
    expect(names).toEqual([
      'demo',
      'demo-postgres',
      'demo-auth',
      'demo-mail',
      'demo-sandbox',
      'demo-prepare',
      'demo-migrate',
      'demo-api',
      'demo-worker',
      'demo-setup',
    ]);
    const others = Object.entries(compose.services).filter(([name]) => !names.includes(name));
    expect(others.map(([name, { profiles, scale }]) => [name, profiles, scale])).toEqual(
      ['postgres', 'migrate', 'api', 'worker'].map((name) => [name, undefined, '${PRODUCT_SCALE:-1}']),
    );
  });

  it('shares one network namespace, whose ports a forwarder opens', () => {
    expect(demo.demo!.network_mode).toBeUndefined();
    for (const name of names.filter((other) => other !== 'demo')) expect(demo[name]!.network_mode).toBe('service:demo');
    for (const name of PRODUCT) expect(environmentOf(name).HOST).toBe('127.0.0.1');
  });

  it('is built from a target of the Dockerfile with the files that its commands and health checks name', () => {
    const target = imageOf('demo');
    expect(demo.demo!.build).toEqual({ context: '.', target: 'demo' });
    expect(target.command).toEqual(['node', 'backend/dist/src/main.js']);
    const built = (file: string) => file.replace('backend/dist/src/main.js', 'backend/src/main.ts').replace(/^\/app\//, '');
    let count = 0;
    for (const name of names.filter((other) => other !== 'demo-postgres')) {
      const words = [...(demo[name]!.command ?? target.command), ...(demo[name]!.healthcheck?.test ?? [])].join(' ').split(' ');
      const files = words.filter((word) => /^[\w/.-]+\.(ts|js)$/.test(word));
      expect(files).not.toEqual([]);
      for (const file of files) expect(existsSync(inRepository(built(file))), file).toBe(true);
      count += files.length;
    }
    expect(count).toBeGreaterThanOrEqual(names.length);
  });

  it('gives the product the settings of make start', () => {
    const expected = settingsOfStart();
    const image = imageOf('demo').environment;
    for (const name of ['demo-api', 'demo-worker']) {
      const { HOME: _, ROLE: __, ...own } = environmentOf(name);
      const given = { ...own, ...image };
      // Without a subscription is the default.
      const known = Object.keys(expected).filter((key) => key !== 'BILLING');
      expect(Object.keys(given).map(withoutFile).sort()).toEqual(known.sort());
      const differing = Object.keys(given).filter((key) => !key.endsWith('_FILE') && given[key] !== expected[key]);
      // Paths of the image; no other server is in the namespace.
      expect(differing.sort()).toEqual(['EGRESS_ALLOWED_NETWORKS', 'STATIC_DIR']);
    }
    expect(Object.keys(environmentOf('demo-migrate'))).toEqual(
      expect.arrayContaining([...Object.keys(environmentOf('demo-api')), 'MIGRATION_DATABASE_URL_FILE']),
    );
  });

  it('passes to the other programs only variables that they read', () => {
    const sources = [
      ...['demo', 'start', 'postgres'].flatMap((name) =>
        readdirSync(inRepository('tools', name)).map((file) => `tools/${name}/${file}`),
      ),
      'sandbox/src/main.ts',
      'sandbox/src/mail/main.ts',
    ].filter((file) => file.endsWith('.ts'));
    const read = sources.map((file) => readFileSync(inRepository(file), 'utf8')).join('\n');
    for (const name of names.filter((other) => ![...PRODUCT, 'demo-postgres'].includes(other)))
      for (const key of Object.keys(environmentOf(name)).filter((other) => other !== 'HOME'))
        expect(read).toContain(withoutFile(key));
  });

  it('has secrets only in files, and only where they are used', () => {
    const isSecret = (name: string) =>
      /SECRET|PASSWORD|TOKEN$|ENCRYPTION_KEY|(DATABASE|WAREHOUSE|SUPERUSER)_URL|API_KEY|STRIPE_KEY/.test(name);
    const plain = names.flatMap((name) =>
      Object.keys(environmentOf(name)).filter((key) => isSecret(key) && !key.endsWith('_FILE')),
    );
    // The emulator accepts any key, and the sandbox accepts only these values, which its documentation lists.
    expect([...new Set(plain)].sort()).toEqual([
      'CUSTOMER_IO_API_KEY',
      'DEMO_STRIPE_KEY',
      'FIREBASE_API_KEY',
      'GOOGLE_CLIENT_SECRET',
      'META_APP_SECRET',
      'MICROSOFT_CLIENT_SECRET',
      'MICROSOFT_DEVELOPER_TOKEN',
    ]);
    for (const name of names) {
      const files = Object.entries(environmentOf(name)).filter(([key]) => key.endsWith('_FILE') && key !== 'PORTFOLIO_FILE');
      const used = files.map(([, file]) => file.replace('/run/secrets/', '')).sort();
      const mounted = [...(demo[name]!.secrets ?? [])].sort();
      expect(mounted).toEqual(used);
    }
    const users = (secret: string) => names.filter((name) => demo[name]!.secrets?.includes(secret));
    expect(users('demo_superuser_url')).toEqual(['demo-sandbox', 'demo-prepare']);
    expect(users('demo_migration_database_url')).toEqual(['demo-prepare', 'demo-migrate', 'demo-setup']);
  });
});

describe('deploy/demo-secrets.sh', () => {
  const script = () => path.join(folder, 'deploy', 'demo-secrets.sh');
  const run = () => execFileSync('sh', [script()], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const files = () => readdirSync(path.join(folder, '.secrets', 'demo')).sort();
  const content = () => files().map((name) => readFileSync(path.join(folder, '.secrets', 'demo', name), 'utf8').trim());
  beforeEach(() => {
    mkdirSync(path.join(folder, 'deploy'));
    cpSync(inRepository('deploy', 'demo-secrets.sh'), script());
  });

  it('creates the secrets of docker-compose.yml, random, readable only by their owner', () => {
    run();
    const wanted = Object.values(compose.secrets).map(({ file }) => file.replace('.secrets/demo/', ''));
    expect(files()).toEqual(wanted.sort());
    for (const name of files()) expect(statSync(path.join(folder, '.secrets', 'demo', name)).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(folder, '.env')).mode & 0o777).toBe(0o600);
    const first = content();
    const passwords = first.flatMap((text) => /[0-9a-f]{48}/.exec(text) ?? []);
    // The superuser's password is in two files.
    expect(passwords).toHaveLength(6);
    expect(new Set(passwords).size).toBe(5);
    expect(Buffer.from(first[files().indexOf('encryption_key')]!, 'base64')).toHaveLength(32);
    rmSync(path.join(folder, '.secrets'), { recursive: true });
    run();
    for (const [index, text] of content().entries()) expect(text).not.toBe(first[index]);
  });

  it('keeps what exists, and writes a .env that starts no other service', () => {
    run();
    const before = [...content(), readFileSync(path.join(folder, '.env'), 'utf8')];
    run();
    expect([...content(), readFileSync(path.join(folder, '.env'), 'utf8')]).toEqual(before);
    const required = [...readFileSync(inRepository('docker-compose.yml'), 'utf8').matchAll(/\$\{(\w+):\?/g)].map(
      ([, name]) => name!,
    );
    expect(before.at(-1)).toMatch(/^PRODUCT_SCALE=0$/m);
    expect(before.at(-1)).toMatch(/^DEMO_USER=[1-9]\d*:\d+$/m);
    for (const name of new Set(required)) expect(before.at(-1)).toMatch(new RegExp(`^${name}=[0-9a-f]{48}$`, 'm'));
  });

  it('does not change the .env of another installation', () => {
    writeFileSync(path.join(folder, '.env'), 'PUBLIC_URL=https://tributary.example.com\n');
    expect(run).toThrow('.env exists and is not that of a demo');
    expect(existsSync(path.join(folder, '.secrets'))).toBe(false);
  });

  it('writes what Git and the image ignore', () => {
    for (const name of ['.gitignore', '.dockerignore'])
      expect(readFileSync(inRepository(name), 'utf8')).toMatch(/^\.secrets\/?$/m);
  });
});
