/**
 * node --import ./bench/resolve-source.mjs bench/runs.ts: many connections of one organization and ten of another are due at the
 * same time. Measures the cost of a run of one slice (CPU time, transactions, sessions at the warehouse), the waiting times, and
 * the memory of the workers. Linux only. RUNS and WORKERS set the size: RUNS=2000 for the full one. The floor is the work of only
 * the connectors: read, write and read back one slice.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../tools/postgres/start-postgres.ts';
import { Engine } from './engine.ts';
import { printFigures } from './figures.ts';
import { startIdentity } from './identity.ts';
import { processCpuMs, serverCpuMs } from './process-cost.ts';
import { Processes, residentMegabytes } from './processes.ts';
import { baseSettings, PROJECT_ID, sandboxSettings, startProduct } from './product.ts';
import { createDueConnections } from './run-data.ts';
import { signIn } from './sign-in.ts';
import { sized } from './smoke.ts';

const runs = Number(process.env['RUNS'] ?? sized(400, 4));
const workerCount = Number(process.env['WORKERS'] ?? sized(2, 1));
const FEW = sized(10, 2);
const FLOOR_SLICES = sized(50, 1);
const LIMIT_MS = 300_000;
/** Sessions report their activity up to ten seconds late. */
const REPORTED_MS = sized(11_000, 0);
const IDLE_MS = sized(10_000, 100);
const product = process.env['PRODUCT'] ?? '../dist/src/main.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-bench-'));
chmodSync(folder, 0o755);
const server = await startPostgres({
  dataDir: path.join(folder, 'data'),
  databases: ['tributary', 'warehouse'],
  settings: { max_connections: '200', max_wal_size: '4GB', shared_buffers: '256MB', fsync: 'off' },
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

/** Idle workers poll for jobs and send heartbeats, and the benchmark polls for the end. */
async function transactionsWhileIdle(): Promise<number> {
  const before = await readTransactions();
  await wait(IDLE_MS);
  return ((await readTransactions()) - before) / IDLE_MS;
}

interface Cost {
  workerCpuMs: number;
  serverCpuMs: number;
  sandboxCpuMs: number;
  transactions: number;
  warehouseTransactions: number;
  warehouseSessions: number;
  wallMs: number;
  /** Difference between the two readings. */
  measuredMs: number;
}

async function measure(): Promise<void> {
  const sandbox = await processes.startServer('../../sandbox/src/main.ts', { SANDBOX_PORT: '0' });
  const settings = {
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ...sandboxSettings(sandbox.url),
    LOG_LEVEL: 'error',
  };
  const { url } = await startProduct(processes, server.url('tributary'), settings);
  await database.connect();
  const { hostname: host, port, username: user, password } = new URL(server.url('warehouse'));
  const login = { host, port: Number(port), database: 'warehouse', user, password };
  const client = { url, token: identity.token };
  const many = await createDueConnections(client, identity, database, login, { count: runs - FEW, prefix: 'm' });
  const few = await createDueConnections(client, identity, database, login, { count: FEW, prefix: 'f' });
  const floor = await measureFloor(sandbox.url, login);

  const worker = {
    ...baseSettings(server.url('tributary')),
    NODE_ENV: 'production',
    IS_DEMO: 'true',
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
    PUBLIC_URL: url,
    FIREBASE_API_KEY: 'bench',
    FIREBASE_AUTH_DOMAIN: 'bench.example.com',
    GOOGLE_CLIENT_ID: 'bench',
    GOOGLE_CLIENT_SECRET: 'bench',
    ...settings,
    ROLE: 'worker',
  };
  const pids = Array.from({ length: workerCount }, () => processes.start(product, worker));
  // Creates the tables and loads their history.
  await runAll(pids, sandbox.pid, [many, few]);
  await wait(REPORTED_MS);
  const idle = await transactionsWhileIdle();
  let peakMegabytes = 0;
  const watch = setInterval(
    () => pids.forEach((pid) => void residentMegabytes(pid).then((now) => (peakMegabytes = Math.max(peakMegabytes, now)))),
    1_000,
  );
  const { cost, fewMs } = await runAll(pids, sandbox.pid, [many, few]);
  clearInterval(watch);
  console.log(`without runs: ${(idle * 1_000).toFixed(1)} transactions per second, subtracted below`);
  report({ ...cost, transactions: cost.transactions - idle * cost.measuredMs }, fewMs, floor, peakMegabytes);
}

/** Only the connectors, one slice after the other. */
async function measureFloor(sandboxUrl: string, login: ConstructorParameters<typeof Engine>[2]): Promise<number> {
  const engine = new Engine(sandboxUrl, await signIn(sandboxUrl, 'demo@example.com'), login);
  const slices = await engine.planSlices(4);
  await engine.destination.prepare(
    { signal: new AbortController().signal, onRequest: () => undefined },
    slices.map(({ stream }) => stream),
  );
  await engine.load(slices);
  const [before, serverBefore] = [process.cpuUsage(), serverCpuMs(server.pid)];
  for (let round = 0; round < FLOOR_SLICES; round++) await engine.load(slices);
  const { user, system } = process.cpuUsage(before);
  await engine.destination.close();
  return ((user + system) / 1_000 + serverCpuMs(server.pid) - serverBefore) / FLOOR_SLICES;
}

async function runAll(pids: number[], sandboxPid: number, organizations: string[]): Promise<{ cost: Cost; fewMs: number }> {
  const count = async (text: string, parameters: unknown[] = []) =>
    Number((await database.query<{ count: string }>(text, parameters)).rows[0]?.count);
  const { rows } = await database.query<{ now: Date }>('select clock_timestamp() as now');
  const since = rows[0]?.now;
  const before = await readCost(pids, sandboxPid);
  await database.query(`update connections set next_run_at = now() where organization_id = any($1::uuid[])`, [organizations]);
  await database.query(`select graphile_worker.add_job('schedule-due')`);
  const deadline = performance.now() + LIMIT_MS;
  const ended = () => count(`select count(*) from runs where ended_at is not null and ended_at >= $1`, [since]);
  while ((await ended()) < runs) {
    if (performance.now() > deadline) throw new Error(`only ${await ended()} of ${runs} runs ended`);
    await wait(500);
  }
  await wait(REPORTED_MS);
  const after = await readCost(pids, sandboxPid);
  const failed = await count(`select count(*) from runs where state <> 'succeeded' and ended_at >= $1`, [since]);
  if (failed > 0) throw new Error(`${failed} of ${runs} runs did not succeed`);
  const times = await database.query<{ wall: number; few: number }>(
    `select extract(epoch from max(ended_at) - $1) * 1000 as wall,
            extract(epoch from max(ended_at) filter (where organization_id = $2) - $1) * 1000 as few from runs where ended_at >= $1`,
    [since, organizations[1]],
  );
  const { wall = 0, few = 0 } = times.rows[0] ?? {};
  const cost = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name as keyof Cost]]));
  return { cost: { ...(cost as unknown as Cost), wallMs: Number(wall) }, fewMs: Number(few) };
}

async function readCost(pids: number[], sandboxPid: number): Promise<Cost> {
  const { rows } = await database.query<{ name: string; transactions: string; sessions: string }>(
    `select datname as name, xact_commit + xact_rollback as transactions, sessions from pg_stat_database`,
  );
  const of = (name: string) => rows.find((row) => row.name === name);
  return {
    workerCpuMs: pids.reduce((sum, pid) => sum + processCpuMs(pid), 0),
    serverCpuMs: serverCpuMs(server.pid),
    sandboxCpuMs: processCpuMs(sandboxPid),
    transactions: Number(of('tributary')?.transactions),
    warehouseTransactions: Number(of('warehouse')?.transactions),
    warehouseSessions: Number(of('warehouse')?.sessions),
    wallMs: 0,
    measuredMs: performance.now(),
  };
}

async function readTransactions(): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    `select xact_commit + xact_rollback as count from pg_stat_database where datname = 'tributary'`,
  );
  return Number(rows[0]?.count);
}

function report(cost: Cost, fewMs: number, floorMs: number, peakMegabytes: number): void {
  const each = (value: number) => value / runs;
  console.log(`${runs} runs, ${workerCount} workers, ${os.availableParallelism()} cores, load ${os.loadavg()[0]?.toFixed(1)}`);
  console.log(`floor (both connectors and the server, one slice): ${floorMs.toFixed(1)} ms of CPU time`);
  console.log(
    `of one run: worker ${each(cost.workerCpuMs).toFixed(1)} ms, servers ${each(cost.serverCpuMs).toFixed(1)} ms, sandbox ${each(cost.sandboxCpuMs).toFixed(1)} ms;`,
    `${each(cost.warehouseTransactions).toFixed(1)} transactions at the warehouse`,
  );
  const cpuMs = each(cost.workerCpuMs + cost.serverCpuMs);
  printFigures([
    { what: 'CPU time of a run', measured: each(cost.workerCpuMs), wanted: { atMost: 40 }, unit: 'ms' },
    {
      what: 'run with its servers / floor',
      measured: cpuMs / floorMs,
      wanted: { atMost: 3 },
      compared: { ours: cpuMs, floor: floorMs, unit: 'ms' },
    },
    { what: 'transactions of a run', measured: each(cost.transactions), wanted: { atMost: 12 } },
    { what: 'sessions at the warehouse, of a run', measured: each(cost.warehouseSessions), wanted: { atMost: 1 } },
    { what: `ten runs of another organization`, measured: fewMs / 1_000, wanted: { atMost: 10 }, unit: 's' },
    { what: `all ${runs} runs`, measured: cost.wallMs / 1_000, wanted: { atMost: (60 * runs) / 2_000 }, unit: 's' },
    { what: 'memory of a worker', measured: peakMegabytes, wanted: { atMost: 300 }, unit: 'MB' },
  ]);
}
