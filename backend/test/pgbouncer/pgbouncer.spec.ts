import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/core/database/database.js';
import { RotateKeys } from '../../src/core/encryption/rotate-keys.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aConnection, anOrganization, eventually } from '../factories.js';
import { openStream } from '../streams.js';
import { tokenFor } from '../http.js';
import { isInstalled, type PgBouncer, startPgBouncer } from './pgbouncer.js';

/** As a server that is not in UTC, so that a forgotten setting of a session is noticed. */
async function useOtherTimeZone(databaseUrl: string): Promise<void> {
  const { username, pathname } = new URL(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`alter role ${username} in database ${pathname.slice(1)} set timezone = 'Asia/Tokyo'`);
  await client.end();
}

if (!isInstalled) process.stdout.write('PgBouncer is not installed, so its tests do not run: apt-get install pgbouncer\n');

describe.runIf(isInstalled)('PgBouncer in transaction mode', () => {
  let sandbox: Sandbox;
  let warehouse: Warehouse;
  let pooler: PgBouncer;
  let app: TestApp;

  beforeAll(async () => {
    [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
    app = await startTestApp(async (databaseUrl) => {
      await useOtherTimeZone(databaseUrl);
      pooler = await startPgBouncer(databaseUrl);
      return { ROLE: 'all', DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: databaseUrl, ...sandboxSettings(sandbox.url) };
    });
  }, 90_000);
  afterAll(async () => {
    await app?.stop();
    await pooler?.stop();
    await Promise.all([sandbox?.stop(), warehouse?.stop()]);
  });

  it('uses another session for each transaction of a client, so that neither listeners nor named statements work', async () => {
    const client = new pg.Client({ connectionString: pooler.url });
    await client.connect();
    const sessions = new Set<number>();
    for (let count = 0; count < 20; count++)
      sessions.add((await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid);
    expect(sessions.size).toBeGreaterThan(1);
    const named = { name: 'one', text: 'select 1' };
    await expect(
      (async () => {
        for (let count = 0; count < 20; count++) await client.query(named);
      })(),
    ).rejects.toThrow(/prepared statement "one" does not exist/);
    await client.end();
  });

  it('serves the API, the queue and a load, and live events arrive', async () => {
    const organization = await anOrganization(app);
    const stream = await openStream(app, organization.path, tokenFor(organization.owner));
    const { id } = await aConnection(organization, warehouse, { historyDays: 2 });
    const [run] = await eventually(
      () =>
        app.database.query<{ state: string; failure: unknown }>(
          'select state, failure from runs where connection_id = $1 and ended_at is not null',
          [id],
        ),
      (ended) => ended.length > 0,
    );
    expect(run).toEqual({ state: 'succeeded', failure: null });
    await eventually(
      () => Promise.resolve(stream.text()),
      (text) => text.includes('succeeded'),
    );
    stream.close();
  });

  it('keeps the time zone of a client in every session', async () => {
    const { pool } = app.get(Database);
    const seen = new Map<number, string>();
    for (let count = 0; count < 20; count++) {
      const { rows } = await pool.query<{ pid: number; zone: string }>(
        `select pg_backend_pid() as pid, current_setting('TimeZone') as zone`,
      );
      seen.set(rows[0]!.pid, rows[0]!.zone);
    }
    expect(seen.size).toBeGreaterThan(1);
    expect(new Set(seen.values())).toEqual(new Set(['UTC']));
  });

  it('keeps the listeners and the lock of a key rotation on the direct connection', async () => {
    const listening = await app.database.query<{ application: string }>(
      `select distinct application_name as application from pg_stat_activity
        where datname = current_database() and query ~* '^listen'`,
    );
    expect(listening.map(({ application }) => application).sort()).toEqual(['tributary-all', 'tributary-live']);
    const pooled = await app.database.query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'tributary-all - 127.0.0.1:%'`,
    );
    expect(pooled.length).toBeGreaterThan(0);
    const rotate = app.get(RotateKeys);
    const rotation = rotate.run({ withDataKeys: true, ringLifetimeMs: 1_500 });
    await eventually(
      () =>
        app.database.query(
          `select from pg_locks l join pg_database d on d.oid = l.database
            where d.datname = current_database() and l.locktype = 'advisory' and l.objid = 5402117 and l.granted`,
        ),
      (held) => held.length === 1,
    );
    const others = await Promise.allSettled([rotate.run(), rotate.run()]);
    expect(others.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await rotation;
    await expect(rotate.run()).resolves.toMatchObject({ reencrypted: 0 });
  });
});
