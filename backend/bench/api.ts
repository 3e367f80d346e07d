/**
 * node --import ./bench/resolve-source.mjs bench/api.ts: lists of 10 rows with a real sign-in, from the built product, compared
 * with a bare server that checks the same token and runs one query. Both run concurrently and are called in turn; ratios are per
 * round. ROUNDS and SECONDS (of each measurement) set the duration.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../tools/postgres/start-postgres.ts';
import { createApps, createConnections, createOrganization } from './api-data.ts';
import { median, printFigures, ratioFigure } from './figures.ts';
import { startIdentity, type Identity } from './identity.ts';
import { Processes, residentMegabytes } from './processes.ts';
import { baseSettings, PROJECT_ID, startProduct } from './product.ts';
import { sized } from './smoke.ts';

const rounds = Number(process.env['ROUNDS'] ?? sized(15, 1));
const seconds = process.env['SECONDS'] ?? String(sized(1, 0.1));
const rows = 10;
const product = '../dist/src/main.js';
const IDLE_SECONDS = sized(3, 0);

interface Speed {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

if (!existsSync(path.join(import.meta.dirname, product))) throw new Error('build the product first: npm run build -w backend');
const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-bench-'));
chmodSync(folder, 0o755);
const server = await startPostgres({ dataDir: path.join(folder, 'data'), databases: ['tributary'] });
const processes = new Processes();
const identity = await startIdentity(PROJECT_ID);
try {
  await measure(identity, server.url('tributary'));
} finally {
  await processes.stop();
  identity.server.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(identity: Identity, databaseUrl: string): Promise<void> {
  const { url, pid } = await startProduct(processes, databaseUrl);
  const floor = await processes.startServer('baseline-server.ts', {
    ...baseSettings(databaseUrl),
    KEYS_URL: identity.keysUrl,
    NODE_ENV: 'production',
  });
  await wait(IDLE_SECONDS * 1_000);
  const idleMegabytes = await residentMegabytes(pid);
  const lists = await prepareLists(identity, databaseUrl, url);
  const floorUrl = `${floor.url}${new URL(lists.apps).pathname}`;
  const callFloor = () => call(floorUrl, identity.signedToken);
  await callFloor();
  for (const address of [lists.apps, lists.connections]) await call(address);
  let busyMegabytes = 0;
  const watch = setInterval(() => void residentMegabytes(pid).then((now) => (busyMegabytes = Math.max(busyMegabytes, now))), 500);
  const results: { floor: Speed; apps: Speed; connections: Speed }[] = [];
  for (let round = 0; round < rounds; round++) {
    results.push({ floor: await callFloor(), apps: await call(lists.apps), connections: await call(lists.connections) });
  }
  clearInterval(watch);
  report(results, idleMegabytes, busyMegabytes);
}

function call(url: string, token = identity.token): Promise<Speed> {
  return processes.run<Speed>(['load-generator.ts', url], { TOKEN: token, SECONDS: seconds });
}

async function prepareLists(
  identity: Identity,
  databaseUrl: string,
  url: string,
): Promise<{ apps: string; connections: string }> {
  const client = { url, token: identity.token };
  const [withApps, withConnections] = [await createOrganization(client, identity), await createOrganization(client, identity)];
  await createApps(client, withApps, rows);
  const database = new pg.Client(databaseUrl);
  await database.connect();
  await createConnections(database, withConnections, identity.uid, rows);
  await database.end();
  const lists = {
    apps: `${url}/api/v1/organizations/${withApps}/apps`,
    connections: `${url}/api/v1/organizations/${withConnections}/connections`,
  };
  for (const list of Object.values(lists)) {
    const answer = await fetch(list, { headers: { authorization: `Bearer ${client.token}` } });
    const { items } = (await answer.json()) as { items: unknown[] };
    if (items.length !== rows) throw new Error(`${list} has ${items.length} rows`);
  }
  return lists;
}

function report(
  results: { floor: Speed; apps: Speed; connections: Speed }[],
  idleMegabytes: number,
  busyMegabytes: number,
): void {
  const ratio = (list: 'apps' | 'connections', what: 'perSecond' | 'p99Ms') => {
    const [name, unit, wanted] =
      what === 'perSecond'
        ? (['requests per second', 'req/s', { atLeast: 0.6 }] as const)
        : (['p99', 'ms', { atMost: 2 }] as const);
    const [ours, floor] = [median(results.map((round) => round[list][what])), median(results.map(({ floor }) => floor[what]))];
    const ratios = results.map((round) => round[list][what] / round.floor[what]);
    return ratioFigure(`list of 10 ${list} / floor, ${name}`, ratios, wanted, { ours, floor, unit });
  };
  printFigures([
    ratio('apps', 'perSecond'),
    ratio('apps', 'p99Ms'),
    ratio('connections', 'perSecond'),
    ratio('connections', 'p99Ms'),
    { what: 'API memory, idle', measured: idleMegabytes, wanted: { atMost: 160 }, unit: 'MB' },
    { what: 'API memory, under load', measured: busyMegabytes, wanted: { atMost: 300 }, unit: 'MB' },
  ]);
}
