import { setTimeout as wait } from 'node:timers/promises';
import { pick } from '../test/user-actions.js';
import type { CommitProxy } from './commit-proxy.js';
import type { Pair } from './pairs.js';
import { platformFaults, slowSources } from './platform-faults.js';
import { activeConnections, connectionsOfWorker } from './runs.js';
import { type Scene, until } from './scene.js';

/** One fault that happened, and the connections whose runs it could hit. */
export interface Strike {
  kind: string;
  endedAt: number;
  connections: string[];
}

export interface Injection {
  scene: Scene;
  pairs: Pair[];
  random: () => number;
  /** Most faults of this round. */
  most: number;
  strike(kind: string, connections: string[], endedAt?: number): void;
  /** True once every run of the round has ended. */
  isOver(): Promise<boolean>;
}

const SLOW_MS = 1_000;
const QUITE_SLOW_MS = 150;
const CUT_WAIT_MS = 1_500;
/** More than the time in which a silent worker counts as crashed. */
const FROZEN_MS = 40_000;

async function slowDown({ scene }: Injection, delayMs: number): Promise<void> {
  for (const fault of slowSources(delayMs)) await scene.admin('faults', fault);
}

const runsBegin = (scene: Scene, least: number) =>
  until(`${least} runs began`, async () => (await activeConnections(scene)).length >= least);

/** Kills two workers in the middle of their runs, and freezes the third until its runs belong to others. */
export async function loseWorkers(injection: Injection): Promise<void> {
  const { scene, strike } = injection;
  await slowDown(injection, SLOW_MS);
  await runsBegin(scene, injection.pairs.length - 1);
  const [frozen, ...killed] = [...scene.workers];
  for (const worker of killed) {
    const connections = await connectionsOfWorker(scene, worker.pid);
    await scene.killWorker(worker);
    if (connections.length > 0) strike('worker killed', connections);
  }
  const connections = await connectionsOfWorker(scene, frozen?.pid);
  frozen?.kill('SIGSTOP');
  const frozenAt = Date.now();
  await scene.clearFaults();
  await Promise.all(killed.map(() => scene.startWorker()));
  const known = () => scene.query('select 1 from workers where description like $1', [`% pid ${frozen?.pid}`]);
  await until('a frozen worker lost its runs', async () => (await known()).length === 0, FROZEN_MS);
  await wait(1_000);
  frozen?.kill('SIGCONT');
  if (connections.length > 0) strike('worker frozen beyond its lease', connections, frozenAt);
}

export async function restartDatabase(injection: Injection): Promise<void> {
  const { scene, most } = injection;
  await slowDown(injection, SLOW_MS);
  for (let count = 0; count < Math.min(2, most) && !(await injection.isOver()); count++) {
    await runsBegin(scene, 3);
    const connections = await activeConnections(scene);
    await scene.restartDatabase();
    injection.strike('database restarted', connections);
  }
  await scene.clearFaults();
}

export const cutOwnDatabase = (injection: Injection): Promise<void> =>
  cutAtCommits(injection, injection.scene.databaseProxy, 'our database', () => true, 16);

export const cutWarehouse = (injection: Injection): Promise<void> =>
  cutAtCommits(injection, injection.scene.warehouseProxy, 'the warehouse', ({ destination }) => destination === 'postgresql', 10);

async function cutAtCommits(
  injection: Injection,
  proxy: CommitProxy,
  place: string,
  concerns: (pair: Pair) => boolean,
  atOnce: number,
): Promise<void> {
  const { scene, pairs, random, most, strike } = injection;
  await slowDown(injection, QUITE_SLOW_MS);
  await runsBegin(scene, 3);
  const concerned = new Set(pairs.filter(concerns).map(({ connectionId }) => connectionId));
  for (let count = 0; count < Math.min(atOnce, most) && !(await injection.isOver()); count++) {
    const when = pick(random, ['before', 'after'] as const);
    const connections = (await activeConnections(scene)).filter((id) => concerned.has(id));
    const isCut = await Promise.race([proxy.cutAtCommit(when).then(() => true), wait(CUT_WAIT_MS, false)]);
    if (isCut && connections.length > 0) strike(`socket cut ${when} COMMIT of ${place}`, connections);
  }
  proxy.cancel();
  await scene.clearFaults();
}

interface ActiveFault {
  id: string;
  struckCount: number;
}

/** Several faults of the platforms at once, each up to three times. */
export async function disturbPlatforms(injection: Injection): Promise<void> {
  const { scene, pairs, random, most, strike } = injection;
  const chosen = new Map<string, { fault: (typeof platformFaults)[number]; counted: number }>();
  const left = [...platformFaults];
  for (let count = 0; count < Math.min(14, Math.ceil(most / 2)); count++) {
    const fault = left.splice(Math.floor(random() * left.length), 1)[0];
    if (!fault) break;
    const { id } = await scene.admin<{ id: string }>('faults', { ...fault.body, times: 1 + Math.floor(random() * 3) });
    chosen.set(id, { fault, counted: 0 });
  }
  let isOver = false;
  while (!isOver) {
    isOver = await injection.isOver();
    const { faults } = await scene.admin<{ faults: ActiveFault[] }>('faults');
    for (const { id, struckCount } of faults) {
      const entry = chosen.get(id);
      if (!entry) continue;
      const { at, kind } = entry.fault;
      const connections = pairs.filter(({ source, destination }) => source.provider === at || destination === at);
      for (; entry.counted < struckCount; entry.counted++) strike(kind, connections.map(({ connectionId }) => connectionId)); // prettier-ignore
    }
    await wait(100);
  }
  await scene.clearFaults();
}
