import { spawnSync } from 'node:child_process';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testSettings } from '../test/settings.js';
import { createTestDatabase, type TestDatabase } from '../test/database.js';

const main = path.resolve(import.meta.dirname, '..', 'dist', 'src', 'main.js');
let database: TestDatabase;
let occupied: Server;

beforeAll(async () => {
  database = await createTestDatabase();
  occupied = createServer();
  await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  occupied?.close();
  await database?.stop();
});

/** Starts the built product, which fails, and returns its output. */
function fail(settings: Record<string, string>, url = database.url): string {
  const env = { PATH: process.env['PATH'], ...testSettings(url, settings) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8', env, timeout: 60_000 });
  expect(status).toBe(1);
  return (stdout + stderr).trim();
}

function changed(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

describe('a start that fails prints one line', () => {
  it('with the setting of a database that refuses connections, without its password', () => {
    expect(fail({ ROLE: 'api' }, 'postgresql://app:hidden@127.0.0.1:1/product?sslmode=disable')).toBe(
      'DATABASE_URL: cannot connect to 127.0.0.1:1/product as app: connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  it('with the setting that a migration uses', () => {
    const owner = 'postgresql://owner:hidden@127.0.0.1:1/product';
    expect(fail({ ROLE: 'migrate', MIGRATION_DATABASE_URL: owner })).toBe(
      'MIGRATION_DATABASE_URL: cannot connect to 127.0.0.1:1/product as owner: connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  it("with the server's message about a wrong role", () => {
    const url = changed((to) => {
      to.username = 'nobody';
      to.password = 'hidden';
    });
    expect(fail({ ROLE: 'worker' }, url)).toMatch(/^DATABASE_URL: cannot connect to \S+ as nobody: .*nobody.*$/);
  });

  it('with the name of a database that does not exist', () => {
    const url = changed((to) => (to.pathname = '/unknown'));
    expect(fail({ ROLE: 'api' }, url)).toMatch(
      /^DATABASE_URL: cannot connect to \S+\/unknown as .*: database "unknown" does not exist$/,
    );
  });

  it.each(['PORT', 'METRICS_PORT'])('with a %s that is in use', (name) => {
    const { port } = occupied.address() as AddressInfo;
    expect(fail({ ROLE: 'api', [name]: String(port) })).toBe(`${name} ${port} is in use.`);
  });
});
