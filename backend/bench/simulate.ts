/**
 * node --import ./bench/resolve-source.mjs bench/simulate.ts [--smoke]: a day of scheduled runs, compressed into MINUTES, with several
 * workers and API processes (docs/performance.md, "Simulation"). Prints progress and a report, and writes simulate.json. Exits with 1 if a
 * run or a request failed, a started run did not end, or rows are missing at the destination. Linux only. CONNECTIONS, ORGANIZATIONS,
 * MINUTES, DRAIN_MINUTES, WORKERS, APIS and WARM_UP set the size;
 * PLANT_LOSS=true deletes a loaded row before the comparison.
 */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { announce } from './simulation/announce.ts';
import { ApiLoad } from './simulation/api-load.ts';
import { findLostRows, plantLoss } from './simulation/lost-rows.ts';
import { fill, prepare } from './simulation/prepare.ts';
import { listFailures, readStartDelays } from './simulation/progress.ts';
import { printReport } from './simulation/report.ts';
import { type Result, resultOf } from './simulation/result.ts';
import { type CleanUps, type Scene, startScene } from './simulation/scene.ts';
import { limitMs, settings } from './simulation/settings.ts';
import { organizationSizes } from './simulation/sizes.ts';
import { runWindow } from './simulation/window.ts';

/** Ignored by git: figures of one machine. */
const RESULT = path.join(import.meta.dirname, 'simulate.json');
const MOST_SHOWN = 5;

if (!existsSync(path.join(import.meta.dirname, '../dist/src/main.js')))
  throw new Error('build the product first: npm run build -w backend');
const cleanUps: CleanUps = [];
let stopping: Promise<void> | undefined;
const stop = () => (stopping ??= stopAll());
const stopEarly = () => void stop().finally(() => process.exit(1));
// Also a second Ctrl-C waits until all parts have ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stopEarly);
const limit = setTimeout(() => {
  console.error('ERROR: the simulation did not end in time');
  stopEarly();
}, limitMs);
try {
  const scene = await announce(
    () => 'starting the databases, the sandbox and the API processes',
    () => startScene(cleanUps),
  );
  const result = await simulate(scene);
  const errors = await announce(
    () => 'comparing the tables of the destination',
    () => findErrors(scene, result),
  );
  writeFileSync(RESULT, `${JSON.stringify({ measuredAt: new Date().toISOString(), ...result, errors }, null, 2)}\n`);
  printReport(result);
  console.log(`\nWritten to ${path.relative(process.cwd(), RESULT)}`);
  for (const error of errors) console.error(`ERROR: ${error}`);
  if (errors.length > 0) process.exitCode = 1;
} catch (error) {
  // After Ctrl-C the parts end while they are in use.
  if (!stopping) throw error;
} finally {
  clearTimeout(limit);
  await stop();
}

async function simulate(scene: Scene): Promise<Result> {
  const sizes = organizationSizes(settings.connections, settings.organizations);
  const organizationIds = await fill(scene, sizes);
  const workers = scene.startWorkers();
  await prepare(scene);
  const { apis, identity, database } = scene;
  const load = new ApiLoad(
    apis.map(({ url }) => url),
    identity.token,
    organizationIds,
  );
  const measured = await runWindow(scene, workers).finally(() => load.stop());
  const sizeOf = new Map(organizationIds.map((id, place) => [id, sizes[place] ?? 0]));
  return resultOf(measured, await readStartDelays(database), sizeOf, load);
}

/** Counted in the databases, not by the simulation. */
async function findErrors({ database, warehouseDatabase }: Scene, { atEnd, api }: Result): Promise<string[]> {
  if (process.env['PLANT_LOSS'] === 'true') await plantLoss(database, warehouseDatabase);
  const lost = await findLostRows(database, warehouseDatabase);
  const running = atEnd.started - atEnd.ended;
  return [
    ...(atEnd.failed > 0 ? [`${atEnd.failed} runs did not succeed: ${(await listFailures(database)).join('; ')}`] : []),
    ...(running > 0 ? [`${running} runs started and did not end`] : []),
    ...(atEnd.started + atEnd.backlog !== settings.connections
      ? [`${settings.connections - atEnd.started - atEnd.backlog} connections have neither a run nor are due`]
      : []),
    ...(lost.length > 0 ? [`${lost.length} tables differ: ${lost.slice(0, MOST_SHOWN).join('; ')}`] : []),
    ...(api.failures.length > 0 ? [`${api.failures.length} requests failed: ${[...new Set(api.failures)].join('; ')}`] : []),
  ];
}

/** An error of one part must not keep the others running. */
async function stopAll(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).toReversed()) {
    try {
      await cleanUp();
    } catch (error) {
      console.error(error);
    }
  }
}
