/**
 * node --import ./bench/resolve-source.mjs bench/limits.ts [part of a name]: sends hostile requests to the built product and
 * requests /healthz at the same time. Exits with 1 if a scenario delays /healthz or uses memory beyond the limits. Everything
 * runs on 127.0.0.1 with a limited number of calls and time.
 */
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startPostgres } from '../../tools/postgres/start-postgres.ts';
import { createOrganization } from './api-data.ts';
import { type Figure, printFigures } from './figures.ts';
import { type Attacker, type HostileCall, type Scenario, SCENARIOS } from './hostile-payloads.ts';
import { type Identity, startIdentity } from './identity.ts';
import { Processes, residentMegabytes } from './processes.ts';
import { PROJECT_ID, startProduct } from './product.ts';
import { isSmoke, sized } from './smoke.ts';

const MOST_HEALTH_MS = 250;
const MOST_MEGABYTES = 400;
const MEMORY_MS = 100;
/** Duration of the idle measurement, the baseline for the other figures. */
const IDLE_MS = sized(3_000, 100);
const MOST_SECONDS = 60;
/** One request each: of a request body, a push, and a check of a PostgreSQL server. */
const SMOKE_SCENARIOS = ['unknown fields, 60 kB', 'push of 1,000 valid', 'check of']
  .flatMap((start) => SCENARIOS.filter(({ name }) => name.startsWith(start)).slice(0, 1))
  .map((scenario): Scenario => ({ ...scenario, times: 1, atOnce: 1 }));

const wanted = process.argv[2] ?? '';
const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-limits-'));
chmodSync(folder, 0o755);
const server = await startPostgres({ dataDir: path.join(folder, 'data'), databases: ['tributary'] });
const processes = new Processes();
const identity = await startIdentity(PROJECT_ID);
try {
  printFigures(await measureAll(identity, server.url('tributary')));
} finally {
  await processes.stop();
  identity.server.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measureAll(identity: Identity, databaseUrl: string): Promise<Figure[]> {
  const { url, pid } = await startProduct(processes, databaseUrl, {
    RATE_LIMIT_PER_PUSH_KEY: '1000000',
    RATE_LIMIT_CHECKS_PER_ORGANIZATION: '1000000',
    EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  const attacker = await prepare(url, identity);
  // Warm-up: the first calls are slow because the code is compiled on first use.
  for (let call = 0; call < 50; call += 1) await (await fetch(`${url}/healthz`)).text();
  const idle = watchHealth(url);
  await wait(IDLE_MS);
  const figures: Figure[] = [
    { what: 'no load, /healthz', measured: await idle.stop(), wanted: { atMost: MOST_HEALTH_MS }, unit: 'ms' },
  ];
  const scenarios = isSmoke ? SMOKE_SCENARIOS : SCENARIOS.filter(({ name }) => name.includes(wanted));
  for (const scenario of scenarios) figures.push(...(await measure(scenario, attacker, pid)));
  return figures;
}

async function measure(scenario: Scenario, attacker: Attacker, pid: number): Promise<Figure[]> {
  const call = await scenario.calls(attacker);
  const controller = new AbortController();
  const health = watchHealth(attacker.url);
  const memory = watchMemory(pid, controller.signal);
  const statuses = await sendAll(call, scenario);
  await call.stop?.();
  controller.abort();
  const [slowestMs, peakMegabytes] = await Promise.all([health.stop(), memory]);
  const what = `${scenario.name} (${scenario.times}: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')})`;
  return [
    { what: `${what}, /healthz`, measured: slowestMs, wanted: { atMost: MOST_HEALTH_MS }, unit: 'ms' },
    { what: '  memory', measured: peakMegabytes, wanted: { atMost: MOST_MEGABYTES }, unit: 'MB' },
  ];
}

async function sendAll(call: HostileCall, { times, atOnce }: Scenario): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const signal = AbortSignal.timeout(MOST_SECONDS * 1_000);
  let left = times;
  const lane = async () => {
    while (left > 0 && !signal.aborted) {
      left -= 1;
      const status = await send(call, signal);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return statuses;
}

async function send({ method, url, headers, body }: HostileCall, signal: AbortSignal): Promise<string> {
  try {
    const answer = await fetch(url, {
      method,
      signal,
      headers: { 'content-type': 'application/json', ...headers },
      body: body as string,
    });
    await answer.arrayBuffer();
    return String(answer.status);
  } catch {
    return signal.aborted ? 'timeout' : 'connection closed';
  }
}

/** Slowest response in ms, including one that is still pending at the end. */
function watchHealth(url: string): { stop: () => Promise<number> } {
  const worker = new Worker(new URL('./watch-health.ts', import.meta.url), { workerData: { url: `${url}/healthz` } });
  return {
    stop: async () => {
      worker.postMessage('stop');
      const [slowestMs] = (await once(worker, 'message')) as [number];
      return slowestMs;
    },
  };
}

async function watchMemory(pid: number, signal: AbortSignal): Promise<number> {
  let peak = 0;
  do {
    // A killed process counts as above the limit.
    peak = Math.max(peak, await residentMegabytes(pid).catch(() => Infinity));
    await wait(MEMORY_MS);
  } while (!signal.aborted);
  return peak;
}

async function prepare(url: string, identity: Identity): Promise<Attacker> {
  const client = { url, token: identity.token };
  const organizationId = await createOrganization(client, identity);
  const headers = { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' };
  const ask = async <Body>(method: string, address: string, body?: object): Promise<Body> => {
    const answer = await fetch(address, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
  const apps = `${url}/api/v1/organizations/${organizationId}/apps`;
  const { id } = await ask<{ id: string }>('POST', apps, { provider: 'custom' });
  const made = await ask<{ key: string; endpoint: { url: string } }>('POST', `${apps}/${id}/push/rotate-key`, {});
  const settingsUrl = `${apps}/${id}/push`;
  const setSchema = async (schema: object): Promise<void> => {
    const { version } = await ask<{ version: number }>('GET', settingsUrl);
    await ask('PATCH', settingsUrl, { schema, version });
  };
  const push = { url: `${url}${new URL(made.endpoint.url).pathname}`, key: made.key, settingsUrl, setSchema };
  return { url, token: client.token, organizationId, push };
}
