/**
 * node --import ./bench/resolve-source.mjs bench/conversions.ts: one conversion reads EVENTS orders with a query and sends them to
 * Google. Measures events per second, the CPU time of the worker and its memory at the beginning and at the end. Linux only. The
 * floor is the work of only the connectors: read, prepare and send the same orders, without a ledger.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../tools/postgres/start-postgres.ts';
import { createOrganization } from './api-data.ts';
import { sendWithoutLedger } from './conversion-floor.ts';
import { printFigures } from './figures.ts';
import { startIdentity } from './identity.ts';
import { processCpuMs } from './process-cost.ts';
import { Processes, residentMegabytes } from './processes.ts';
import { baseSettings, PROJECT_ID, sandboxSettings, startProduct } from './product.ts';
import { callerOf, connectGoogle, destinationOf } from './run-data.ts';
import { sized } from './smoke.ts';

const events = Number(process.env['EVENTS'] ?? sized(100_000, 2_000));
const LIMIT_MS = 600_000;
const ACCOUNT = '9001000011';
const ACTION = {
  accountId: ACCOUNT,
  loginAccountId: '9001000001',
  conversionActionId: '7010000114',
  transactionIdPrefix: 'ord-',
};
const MAPPING = {
  ...{ id: { field: 'id' }, occurredAt: { field: 'at' }, value: { field: 'value' }, currency: { value: 'EUR' } },
  ...{ orderId: { field: 'id' }, email: { field: 'email' }, adUserData: { value: 'granted' } },
};
const QUERY = { query: 'select * from orders', timeField: 'at', overlapHours: 1 };

const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-bench-'));
chmodSync(folder, 0o755);
const server = await startPostgres({
  dataDir: path.join(folder, 'data'),
  databases: ['tributary', 'warehouse'],
  settings: { max_connections: '100', max_wal_size: '4GB', shared_buffers: '256MB', fsync: 'off' },
});
const processes = new Processes();
const identity = await startIdentity(PROJECT_ID);
const database = new pg.Client(server.url('tributary'));
database.on('error', () => undefined);
try {
  await measure();
} finally {
  await database.end();
  await processes.stop();
  identity.server.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function fillOrders(): Promise<void> {
  const warehouse = new pg.Client(server.url('warehouse'));
  await warehouse.connect();
  await warehouse.query(
    `create table orders as
     select 'order-' || n as id, now() - interval '1 day' - n * interval '1 second' as at, (n % 500) + 0.5 as value,
            'shopper' || (n % 20) + 1 || '@example.com' as email from generate_series(1, ${events}) n`,
  );
  await warehouse.end();
}

async function measure(): Promise<void> {
  await fillOrders();
  const sandbox = await processes.startServer('../../sandbox/src/main.ts', { SANDBOX_PORT: '0' });
  const settings = {
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ...sandboxSettings(sandbox.url),
    GOOGLE_DATA_MANAGER_BASE_URL: `${sandbox.url}/data-manager`,
    LOG_LEVEL: 'error',
  };
  const { url } = await startProduct(processes, server.url('tributary'), settings);
  await database.connect();
  const { hostname: host, port, username: user, password } = new URL(server.url('warehouse'));
  const login = { host, port: Number(port), database: 'warehouse', user, password };
  const floor = await sendWithoutLedger({ sandboxUrl: sandbox.url, login, query: QUERY, mapping: MAPPING, action: ACTION });
  const client = { url, token: identity.token };
  const call = callerOf(client, `/api/v1/organizations/${await createOrganization(client, identity)}`);
  const conversion = await call('POST', '/conversions', {
    name: 'Orders',
    source: { destinationId: (await destinationOf(call, login, '')).id, settings: QUERY },
    target: { appId: await connectGoogle(call), accountId: ACCOUNT, name: 'Order (import)', settings: ACTION },
    mapping: MAPPING,
    schedule: { kind: 'manual', timeZone: 'UTC' },
    since: new Date(Date.now() - 80 * 86_400_000).toISOString(),
  });
  const pid = processes.start('../dist/src/main.js', {
    ...baseSettings(server.url('tributary')),
    ...{ NODE_ENV: 'production', IS_DEMO: 'true', FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1', PUBLIC_URL: url },
    ...{ FIREBASE_API_KEY: 'bench', FIREBASE_AUTH_DOMAIN: 'bench.example.com' },
    ...{ GOOGLE_CLIENT_ID: 'bench', GOOGLE_CLIENT_SECRET: 'bench', ...settings, ROLE: 'worker' },
  });
  report(await watchRun(pid, conversion.id), floor);
}

interface Measured {
  seconds: number;
  cpuMs: number;
  /** Highest memory while each tenth of the events was sent. */
  megabytes: number[];
}

async function watchRun(pid: number, conversionId: string): Promise<Measured> {
  const deadline = performance.now() + LIMIT_MS;
  const megabytes: number[] = [];
  for (;;) {
    const { rows } = await database.query<{ read: number; accepted: number; seconds: number }>(
      `select coalesce(sum(n.events), 0)::int as read,
              coalesce(sum(n.events) filter (where n.state = 'accepted'), 0)::int as accepted,
              coalesce((select extract(epoch from clock_timestamp() - min(r.started_at)) from conversion_runs r), 0)::float8 as seconds
         from conversion_counts n where n.conversion_id = $1`,
      [conversionId],
    );
    const { read = 0, accepted = 0, seconds = 0 } = rows[0] ?? {};
    const now = await residentMegabytes(pid);
    const tenth = Math.min(9, Math.floor((10 * (read + accepted)) / (2 * events)));
    megabytes[tenth] = Math.max(megabytes[tenth] ?? 0, now);
    if (accepted >= events) return { seconds, cpuMs: processCpuMs(pid), megabytes };
    if (performance.now() > deadline) throw new Error(`only ${accepted} of ${events} events were accepted`);
    await wait(200);
  }
}

function report({ seconds, cpuMs, megabytes }: Measured, floorSeconds: number): void {
  console.log(`${events} events, ${os.availableParallelism()} cores, load ${os.loadavg()[0]?.toFixed(1)}`);
  console.log(`floor (connectors only): ${Math.round(events / floorSeconds)} events per second`);
  const tenths = Object.values(megabytes).map((peak) => Math.round(peak));
  console.log(
    `worker: ${((cpuMs * 1_000) / events).toFixed(0)} µs of CPU time for an event; memory by tenth of the events: ${tenths.join(', ')} MB`,
  );
  printFigures([
    { what: 'events per second', measured: events / seconds, wanted: { atLeast: 1_000 } },
    {
      what: 'of the floor',
      measured: floorSeconds / seconds,
      wanted: { atLeast: 0.15 },
      compared: { ours: events / seconds, floor: events / floorSeconds, unit: 'events/s' },
    },
    { what: 'memory of the worker', measured: Math.max(...tenths), wanted: { atMost: 300 }, unit: 'MB' },
  ]);
}
