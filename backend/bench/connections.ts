/**
 * node --import ./bench/resolve-source.mjs bench/connections.ts: the list of an organization with 10 connections, and of one with
 * many (CONNECTIONS, 10,000), each connection with three years of loaded days; also the page of their
 * freshness. All are called in turn, one request at a time; ratios are per round.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../tools/postgres/start-postgres.ts';
import { createOrganization } from './api-data.ts';
import { createLongHistories } from './connection-data.ts';
import { median, printFigures, ratioFigure } from './figures.ts';
import { startIdentity, type Identity } from './identity.ts';
import { Processes } from './processes.ts';
import { PROJECT_ID, startProduct } from './product.ts';
import { sized } from './smoke.ts';

const FEW = 10;
const many = Number(process.env['CONNECTIONS'] ?? sized(10_000, 20));
const rounds = Number(process.env['ROUNDS'] ?? sized(15, 1));
const seconds = process.env['SECONDS'] ?? String(sized(1, 0.1));
const LISTS = ['first page', 'page in the middle', 'one health', 'search of one name'] as const;
const TARGET = { atMost: 1.3 };
/** Of the build that is measured. Otherwise a worker computes the facts in the background. */
const REBUILD = path.join(path.dirname(process.env['PRODUCT'] ?? '../dist/src/main.js'), 'rebuild-connection-facts.js');

const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-bench-'));
chmodSync(folder, 0o755);
const server = await startPostgres({
  dataDir: path.join(folder, 'data'),
  databases: ['tributary'],
  settings: { max_wal_size: '8GB', fsync: 'off', autovacuum: 'off' },
});
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
  const { url, environment } = await startProduct(processes, databaseUrl);
  const [few, large] = [
    await addOrganization(identity, databaseUrl, url, FEW),
    await addOrganization(identity, databaseUrl, url, many),
  ];
  await processes.finish(REBUILD, environment);
  await vacuumFacts(databaseUrl);
  const lists = {
    few: `${few}?limit=${FEW}`,
    ...(await listsOf(identity, large)),
    freshness: freshnessOf(large),
    fewFreshness: freshnessOf(few),
  };
  const results: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, address] of Object.entries(lists)) (results[name] ??= []).push(await call(identity, address));
  const of = (name: string): number[] => results[name] ?? [];
  const figure = (what: string, name: string, floor: string) =>
    ratioFigure(
      `${what}, p50`,
      of(name).map((p50, round) => p50 / (of(floor)[round] ?? 0)),
      TARGET,
      { ours: median(of(name)), floor: median(of(floor)), unit: 'ms' },
    );
  printFigures([
    ...LISTS.map((name) => figure(`list of ${many} connections, ${name} / list of ${FEW}`, name, 'few')),
    figure(`freshness of ${many} connections, first page / of ${FEW}`, 'freshness', 'fewFreshness'),
  ]);
}

function freshnessOf(list: string): string {
  return `${list.replace(/connections$/, 'freshness')}?limit=${FEW}`;
}

/** Autovacuum, which is off here, does it within a minute after 2 % of the facts have changed. */
async function vacuumFacts(databaseUrl: string): Promise<void> {
  const database = new pg.Client(databaseUrl);
  await database.connect();
  await database.query('vacuum analyze connection_facts');
  await database.end();
}

async function addOrganization(identity: Identity, databaseUrl: string, url: string, count: number): Promise<string> {
  const organizationId = await createOrganization({ url, token: identity.token }, identity);
  const database = new pg.Client(databaseUrl);
  await database.connect();
  await createLongHistories(database, organizationId, identity.uid, count);
  await database.query('vacuum analyze');
  await database.end();
  return `${url}/api/v1/organizations/${organizationId}/connections`;
}

async function listsOf(identity: Identity, list: string): Promise<Record<(typeof LISTS)[number], string>> {
  const middle = await read(identity, `${list}?limit=${Math.min(100, many / 2)}`);
  return {
    'first page': `${list}?limit=${FEW}`,
    'page in the middle': `${list}?limit=${FEW}&cursor=${middle.nextCursor}`,
    'one health': `${list}?limit=${FEW}&health=paused`,
    'search of one name': `${list}?limit=${FEW}&search=${encodeURIComponent(`Connection ${many}`)}`,
  };
}

async function read(identity: Identity, address: string): Promise<{ nextCursor: string }> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${identity.token}` } });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return (await answer.json()) as { nextCursor: string };
}

async function call(identity: Identity, address: string): Promise<number> {
  const settings = { TOKEN: identity.token, SECONDS: seconds, CONNECTIONS: '1' };
  return (await processes.run<{ p50Ms: number }>(['load-generator.ts', address], settings)).p50Ms;
}
