/**
 * node --import ./bench/resolve-source.mjs bench/load.ts: loads the sandbox's load-test account over HTTP into PostgreSQL,
 * through both connectors and every check, and compares it with COPY of the same rows (already encoded) into a table with the
 * same key. Prints ratios per round: higher is better. The sandbox's responses are replayed from memory. DAYS and ROUNDS set the
 * duration.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { startPostgres } from '../../tools/postgres/start-postgres.ts';
import type { Slice } from '../src/connectors/kit/contract.js';
import { context, Engine, type Login } from './engine.js';
import { median, printFigures, ratioFigure, type Figure } from './figures.ts';
import { Processes } from './processes.ts';
import { signIn } from './sign-in.ts';
import { isSmoke, sized } from './smoke.ts';

const days = Number(process.env['DAYS'] ?? sized(180, 2));
const rounds = Number(process.env['ROUNDS'] ?? sized(9, 1));
const WATCH_EVERY_MS = 5;
/** Rows that a worker loads, and the days that are loaded repeatedly until then. */
const memorySteps = [
  { rows: 10_000, days: 12 },
  { rows: 100_000, days: 120 },
  { rows: 1_000_000, days: 390 },
  // Takes several minutes: MEMORY_ROWS=10000000.
  ...(process.env['MEMORY_ROWS'] ? [{ rows: Number(process.env['MEMORY_ROWS']), days: 390 }] : []),
];
const smokeMemorySteps = [{ rows: 100, days: 1 }];

const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-bench-'));
chmodSync(folder, 0o755);
const server = await startPostgres({
  dataDir: path.join(folder, 'data'),
  databases: ['warehouse'],
  settings: { max_wal_size: '4GB', shared_buffers: '256MB' },
});
const processes = new Processes();
try {
  const sandbox = await processes.startServer('../../sandbox/src/main.ts', { SANDBOX_PORT: '0' });
  const replay = await processes.startServer('replay.ts', { TARGET_URL: sandbox.url });
  const token = await signIn(sandbox.url, 'bench@example.com');
  const { hostname: host, port, username: user, password } = new URL(server.url('warehouse'));
  const login = { host, port: Number(port), database: 'warehouse', user, password };
  const figures = await measureSpeed(new Engine(replay.url, token, login), login);
  printFigures([...figures, ...(await measureMemory({ SOURCE_URL: replay.url, TOKEN: token, LOGIN: JSON.stringify(login) }))]);
} finally {
  await processes.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measureSpeed(engine: Engine, login: Login): Promise<Figure[]> {
  const slices = await engine.planSlices(days);
  const { stream } = slices[0] as Slice;
  await engine.destination.prepare(context, [stream]);
  const client = new pg.Client(login);
  // Reports the failure of the benchmark itself, not of the connection that closes with it.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`CREATE TABLE copied (LIKE ${stream.table} INCLUDING ALL)`);
  const { lines, rowCount } = await readOnce(engine, slices);
  console.log(`${rowCount} rows, ${slices.length} slices`);
  const results: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    await client.query(`TRUNCATE ${stream.table}`);
    const copy = async () => {
      await client.query('TRUNCATE copied');
      await pipeline(Readable.from(lines), client.query(copyFrom('COPY copied FROM STDIN')));
    };
    results.push(await measureRound(rowCount, copy, () => engine.load(slices)));
  }
  await client.query('DROP TABLE copied');
  await client.end();
  await engine.destination.close();
  const speed = (what: string, load: 'first' | 'again', wanted: Figure['wanted']) => {
    const perSecond = (of: (round: Round) => number) => median(results.map((round) => of(round))) / 1_000;
    const compared = {
      ours: perSecond((round) => round.copyPerSecond * round[load]),
      floor: perSecond((round) => round.copyPerSecond),
    };
    return ratioFigure(what, results.map((round) => round[load]), wanted, { ...compared, unit: 'k rows/s' }); // prettier-ignore
  };
  return [
    speed('first load / COPY', 'first', { atLeast: 0.7 }),
    speed('same days again / COPY', 'again', { atLeast: 0.8 }),
    {
      what: 'longest stall of the event loop',
      measured: Math.max(...results.map(({ stallMs }) => stallMs)),
      wanted: { atMost: 100 },
      unit: 'ms',
    },
  ];
}

interface Round {
  /** Speed relative to COPY. */
  first: number;
  again: number;
  copyPerSecond: number;
  stallMs: number;
}

async function measureRound(rowCount: number, copy: () => Promise<void>, load: () => Promise<number>): Promise<Round> {
  const before = await timed(copy);
  const stalls = watchStalls();
  const cpuBefore = process.cpuUsage();
  const first = await timed(load);
  const cpu = process.cpuUsage(cpuBefore);
  const again = await timed(load);
  const stallMs = stalls.stop();
  const copied = (before + (await timed(copy))) / 2;
  const rate = (seconds: number) => `${Math.round(rowCount / seconds / 1_000)} k rows/s`;
  const processMicroseconds = ((cpu.user + cpu.system) / rowCount).toFixed(1);
  console.log(
    `COPY ${rate(copied)}, first load ${rate(first)} (${processMicroseconds} µs of this process a row), again ${rate(again)}`,
  );
  return { first: copied / first, again: copied / again, copyPerSecond: rowCount / copied, stallMs };
}

/**
 * Longest block of the event loop in CPU time of its thread. Time in which other programs used the CPU does not count.
 */
function watchStalls(): { stop(): number } {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    last = process.threadCpuUsage();
  }, WATCH_EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return longestMs;
    },
  };
}

/** Fills the replay's memory and returns the rows in COPY format. */
async function readOnce(engine: Engine, slices: Slice[]): Promise<{ lines: Buffer[]; rowCount: number }> {
  const lines: Buffer[] = [];
  let rowCount = 0;
  for (const slice of slices) {
    for await (const page of engine.source.read({ ...context, provisionalFrom: null }, slice)) {
      rowCount += page.rowCount;
      lines.push(page.lines);
    }
  }
  return { lines, rowCount };
}

async function measureMemory(environment: Record<string, string>): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const step of isSmoke ? smokeMemorySteps : memorySteps) {
    const settings = { ...environment, ROWS: String(step.rows), DAYS: String(step.days) };
    const { rows, peakMegabytes } = await processes.run<{ rows: number; peakMegabytes: number }>(['memory.ts'], settings);
    const what = `worker memory, ${Math.round(rows / 1_000)} k rows`;
    figures.push({ what, measured: peakMegabytes, wanted: { atMost: 300 }, unit: 'MB' });
  }
  return figures;
}

/** Seconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}
