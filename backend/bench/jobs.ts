/**
 * node --import ./bench/resolve-source.mjs bench/jobs.ts: 10,000 jobs without work are due at the same time, then as many within a
 * minute. Measures how long after its time a job starts in one worker, in the slots of runs. The floor is graphile-worker alone with a
 * local queue, which locks 500 jobs before a slot is free. JOBS and SPREAD_SECONDS set the size.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger, run } from 'graphile-worker';
import pg from 'pg';
import { z } from 'zod';
import { startPostgres } from '../../tools/postgres/start-postgres.ts';
import { type Figure, printFigures } from './figures.ts';
import { Processes } from './processes.ts';
import { startProduct } from './product.ts';
import { sized } from './smoke.ts';

const count = Number(process.env['JOBS'] ?? sized(10_000, 20));
const spreadSeconds = Number(process.env['SPREAD_SECONDS'] ?? sized(60, 1));
const TASK = 'bench';
/** The default of WORKER_CONCURRENCY. */
const SLOTS = 4;
const LOCAL_QUEUE = 500;
/** Until all jobs are stored. */
const LEAD_MS = 5_000;
const LIMIT_MS = 300_000;

/** In milliseconds of the machine's clock. A job that is due at once has no time. */
const payload = z.object({ dueAtMs: z.number().nullable() });
interface Start {
  atMs: number;
  dueAtMs: number | null;
}
let starts: Start[] = [];

const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-bench-'));
chmodSync(folder, 0o755);
const server = await startPostgres({ dataDir: path.join(folder, 'data'), databases: ['tributary'], settings: { fsync: 'off' } });
const processes = new Processes();
const database = new pg.Client(server.url('tributary'));
try {
  const { environment } = await startProduct(processes, server.url('tributary'));
  await processes.stop();
  await database.connect();
  const floor = await measureLibrary();
  const ours = await measureProduct(environment);
  printFigures([
    figureOf(`${count} jobs due at once, p99 of their start`, ours.atOnceMs, floor.atOnceMs, 600),
    figureOf(`${count} jobs due within ${spreadSeconds} s, p99 of their delay`, ours.spreadMs, floor.spreadMs, 150),
  ]);
} finally {
  await database.end();
  await processes.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function figureOf(what: string, ours: number, floor: number, atMost: number): Figure {
  return { what, measured: ours, wanted: { atMost }, unit: 'ms', compared: { ours, floor, unit: 'ms' } };
}

function recordStart(stored: unknown): void {
  starts.push({ atMs: Date.now(), ...payload.parse(stored) });
}

async function measureLibrary(): Promise<Delays> {
  const pool = new pg.Pool({ connectionString: server.url('tributary'), max: SLOTS + 2 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const runner = await run({
    pgPool: pool,
    concurrency: SLOTS,
    pollInterval: 100,
    noHandleSignals: true,
    taskList: { [TASK]: recordStart },
    parsedCronItems: [],
    preset: { worker: { localQueue: { size: LOCAL_QUEUE } } },
    logger: new Logger(() => () => undefined),
  });
  try {
    return await measureDelays();
  } finally {
    await runner.stop();
    await pool.end();
  }
}

/** The queue of the built product, in this process. */
async function measureProduct(environment: Record<string, string>): Promise<Delays> {
  const { createApp } = await built<typeof import('../src/create-app.js')>('create-app.js');
  const { Jobs } = await built<typeof import('../src/core/jobs/jobs.js')>('core/jobs/jobs.js');
  const { defineJob } = await built<typeof import('../src/core/jobs/define-job.js')>('core/jobs/define-job.js');
  const app = await createApp({ ...environment, ROLE: 'worker', WORKER_CONCURRENCY: String(SLOTS), LOG_LEVEL: 'error' });
  app.get(Jobs).handle(defineJob(TASK, payload, { slots: 'runs' }), (stored) => Promise.resolve(recordStart(stored)));
  await app.init();
  try {
    return await measureDelays();
  } finally {
    await app.close();
  }
}

async function built<Module>(file: string): Promise<Module> {
  return (await import(`../dist/src/${file}`)) as Module;
}

interface Delays {
  atOnceMs: number;
  spreadMs: number;
}

async function measureDelays(): Promise<Delays> {
  await addJobs('now()', 'null');
  const storedAtMs = Date.now();
  const atOnceMs = p99((await allStarts()).map(({ atMs }) => atMs - storedAtMs));
  const firstDueMs = Date.now() + LEAD_MS;
  const dueAtMs = `${firstDueMs} + number * ${(spreadSeconds * 1_000) / count}::float`;
  await addJobs(`to_timestamp((${dueAtMs}) / 1000)`, dueAtMs);
  if (Date.now() > firstDueMs) throw new Error('storing the jobs took longer than LEAD_MS');
  const spreadMs = p99((await allStarts()).map((start) => start.atMs - (start.dueAtMs ?? 0)));
  return { atOnceMs, spreadMs };
}

/** One transaction: the queue is notified when all jobs are stored. */
async function addJobs(runAt: string, dueAtMs: string): Promise<void> {
  starts = [];
  await database.query(
    `select count(*) from graphile_worker.add_jobs((
       select array_agg(($1::text, json_build_object('dueAtMs', ${dueAtMs}), null, ${runAt}, null, null, null, null)::graphile_worker.job_spec)
         from generate_series(1, $2::int) number))`,
    [TASK, count],
  );
}

async function allStarts(): Promise<Start[]> {
  const deadline = Date.now() + LIMIT_MS;
  while (starts.length < count) {
    if (Date.now() > deadline) throw new Error(`only ${starts.length} of ${count} jobs started`);
    await wait(200);
  }
  return starts;
}

function p99(delaysMs: number[]): number {
  const sorted = delaysMs.map((delay) => Math.max(0, delay)).sort((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}
