/**
 * node --import ./bench/resolve-source.mjs bench/load.ts: the sandbox's load-test account over HTTP into PostgreSQL, through
 * both connectors, against COPY of the same rows (already encoded) into the same keyed table. Prints ratios: higher is better.
 * The sandbox's answers are replayed from memory. DAYS and SLICE_DAYS change the amount; PARALLEL how many slices load side by side, as the worker does.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { startPostgres } from '../../tools/postgres/start-postgres.ts';
import { googleAdsSource } from '../src/connectors/google-ads/index.js';
import type { Destination, Slice, Source } from '../src/connectors/kit/contract.js';
import { addDays, chunkDays } from '../src/connectors/kit/days.js';
import { postgresqlDestination } from '../src/connectors/postgresql/index.js';
import { signIn } from './sign-in.ts';

const days = Number(process.env['DAYS'] ?? 390);
const sliceDays = Number(process.env['SLICE_DAYS'] ?? 30);
const parallel = Number(process.env['PARALLEL'] ?? 2);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const context = { signal: new AbortController().signal, onRequest: () => undefined };
const target = { firstLoad: 0.6, again: 0.45, stallMs: 100 };

const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-bench-'));
chmodSync(folder, 0o755);
const server = await startPostgres({
  dataDir: path.join(folder, 'data'),
  databases: ['warehouse'],
  settings: { max_wal_size: '4GB', shared_buffers: '256MB' },
});
const processes: ChildProcess[] = [];
try {
  const sandboxUrl = await startProcess('../../sandbox/src/main.ts', { SANDBOX_PORT: '0' });
  const replayUrl = await startProcess('replay.ts', { TARGET_URL: sandboxUrl });
  await measure(await signIn(sandboxUrl, 'bench@example.com'), replayUrl);
} finally {
  for (const child of processes) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The address that the process prints when it is ready. */
async function startProcess(file: string, environment: Record<string, string>): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', ...environment };
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, file)], { stdio: ['ignore', 'pipe', 'inherit'], env });
  processes.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return (JSON.parse(line) as { url: string }).url;
}

async function measure(token: string, baseUrl: string): Promise<void> {
  const source = googleAdsSource({
    baseUrl: `${baseUrl}/google-ads`,
    apiVersion: 'v25',
    accessToken: { accessToken: () => Promise.resolve(token) },
  });
  const url = new URL(server.url('warehouse'));
  const login = { host: url.hostname, port: Number(url.port), database: 'warehouse', user: url.username, password: url.password };
  const destination = postgresqlDestination({ ...login, schema: 'public', sslMode: 'disable', tablePrefix: '' });
  const client = new pg.Client(login);
  await client.connect();
  const slices = await planSlices(source);
  const { stream } = slices[0] as Slice;
  await destination.prepare(context, [stream]);
  await client.query(`CREATE TABLE copied (LIKE ${stream.table} INCLUDING ALL)`);
  const { encoded, rowCount } = await readOnce(source, slices);
  console.log(`${rowCount} rows, ${slices.length} slices of ${sliceDays} days, ${parallel} side by side`);
  const results: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    await client.query(`TRUNCATE copied, ${stream.table}`);
    const copy = () => pipeline(Readable.from(encoded), client.query(copyFrom('COPY copied FROM STDIN')));
    results.push(await measureRound(rowCount, copy, () => loadAll(source, destination, slices)));
  }
  await client.end();
  await destination.close();
  report('first load / COPY', median(results.map(({ first }) => first)), target.firstLoad);
  report('same days again / COPY', median(results.map(({ again }) => again)), target.again);
  const stallMs = Math.round(Math.max(...results.map((round) => round.stallMs)));
  console.log(`longest stall of the event loop: ${stallMs} ms (at most ${target.stallMs})`);
}

interface Round {
  /** Speed relative to COPY. */
  first: number;
  again: number;
  stallMs: number;
}

async function measureRound(rowCount: number, copy: () => Promise<void>, load: () => Promise<void>): Promise<Round> {
  const copied = await timed(copy);
  // A monitor of its own each time: one that is switched on again counts the pause as a stall.
  const stalls = monitorEventLoopDelay({ resolution: 5 });
  stalls.enable();
  const cpuBefore = process.cpuUsage();
  const first = await timed(load);
  const cpu = process.cpuUsage(cpuBefore);
  const again = await timed(load);
  stalls.disable();
  const rate = (seconds: number) => `${Math.round(rowCount / seconds / 1_000)} k rows/s`;
  const processMicroseconds = ((cpu.user + cpu.system) / rowCount).toFixed(1);
  console.log(
    `COPY ${rate(copied)}, first load ${rate(first)} (${processMicroseconds} µs of this process a row), again ${rate(again)}`,
  );
  return { first: copied / first, again: copied / again, stallMs: stalls.max / 1e6 };
}

async function planSlices(source: Source): Promise<Slice[]> {
  const [account] = await source.listAccounts(context);
  const [stream] = source.streams;
  if (!account || !stream) throw new Error('the sandbox has no load-test account');
  const to = addDays(new Date().toISOString().slice(0, 10), -2);
  return chunkDays(addDays(to, 1 - days), to, sliceDays).map((range) => ({ stream, account, ...range }));
}

/** Fills the replay's memory, and gives the rows as COPY takes them. */
async function readOnce(source: Source, slices: Slice[]): Promise<{ encoded: Buffer[]; rowCount: number }> {
  const encoded: Buffer[] = [];
  let rowCount = 0;
  for (const slice of slices) {
    for await (const page of source.read(context, slice)) {
      rowCount += page.rowCount;
      encoded.push(page.lines);
    }
  }
  return { encoded, rowCount };
}

async function loadAll(source: Source, destination: Destination, slices: Slice[]): Promise<void> {
  const waiting = [...slices];
  const fence = { runId: randomUUID(), leaseEpoch: 1n };
  const work = async () => {
    for (let slice = waiting.shift(); slice; slice = waiting.shift()) {
      await destination.write(context, slice, source.read(context, slice), fence);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

/** Seconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

function median(values: number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

function report(what: string, ratio: number, wanted: number): void {
  console.log(`${what}: ${ratio.toFixed(2)} (at least ${wanted}) ${ratio >= wanted ? 'reached' : 'MISSED'}`);
}
