/** `make test`: the checks and every runner, on one PostgreSQL; the last line sums them all. `--changed`: what a change can break. */
import { rmSync } from 'node:fs';
import { printOutcome } from '../check/print-outcome.ts';
import { runSteps, type CheckOutcome } from '../check/run-steps.ts';
import { BACKEND_BUILDS, checkSteps, FRONTEND_BUILDS } from '../check/steps.ts';
import { startTestDatabaseOrExit } from '../postgres/test-database.ts';
import { inRepository } from '../repository.ts';
import { endTestInstances } from '../start/test-instance.ts';
import { planChangedSuites } from './changed-suites.ts';
import { describeSlowFiles, readFileTimes } from './file-times.ts';
import { describeFailures, describeRetried, sum, type SuiteResult } from './results.ts';
import { ALL_SUITES, runSuite, type Suite, type SuitePlan } from './suites.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

const asResult = ({ name, isPassed, output }: CheckOutcome): SuiteResult => ({
  name: `check: ${name}`,
  passed: isPassed ? 1 : 0,
  failed: isPassed ? 0 : 1,
  failures: isPassed ? [] : [{ test: 'make check', message: output.trim() }],
  retried: [],
  note: null,
});

/**
 * The checks, which first build, run in parallel with the other suites. The backend's tests start the built product. The browser runs
 * last and alone: its tests have time limits, and they and the backend's tests each use both processors.
 */
async function runAll(plan: SuitePlan, databaseUrl: string): Promise<SuiteResult[]> {
  const { signal } = interruption;
  const results: SuiteResult[] = [];
  const builds = Promise.withResolvers<undefined>();
  const pending = new Set([BACKEND_BUILDS, FRONTEND_BUILDS]);
  const run = async (suite: Suite | null) => {
    if (suite && !signal.aborted) results.push(await runSuite(suite, databaseUrl, signal));
  };
  const onOutcome = (outcome: CheckOutcome) => {
    printOutcome(outcome);
    pending.delete(outcome.name);
    if (pending.size === 0) builds.resolve(undefined);
  };
  const checks = async () => {
    const outcomes = await runSteps(checkSteps(databaseUrl), { atOnce: 1, signal, onOutcome });
    results.push(...outcomes.map(asResult));
    builds.resolve(undefined);
  };
  const otherSuites = async () => {
    for (const suite of plan.quick) await run(suite);
    await builds.promise;
    await run(plan.backend);
  };
  await Promise.all([checks(), otherSuites()]);
  await run(plan.browser);
  return results;
}

/** The failures come last: services that run this often keep only the end of the output. */
function printSummary(results: SuiteResult[]): void {
  console.log('');
  for (const line of [...describeRetried(results), ...describeSlowFiles(readFileTimes()), ...results.flatMap(describeFailures)])
    console.log(line);
  for (const { name, passed, failed, note } of results.filter(
    (result) => result.failed > 0 || !result.name.startsWith('check:'),
  )) {
    console.log(`${name.padEnd(50)} ${passed} passed, ${failed} failed${note ? ` (${note})` : ''}`);
  }
  for (const { name, failures } of results) for (const { test } of failures) console.log(`failed: ${name}: ${test}`);
}

const startedAt = Date.now();
// The checks start programs of the product that the suites start again, and write what they have compiled.
process.env.NODE_COMPILE_CACHE ??= inRepository('.tmp', 'compile-cache');
// Prisma's command line would look for a newer version at each start.
process.env.CHECKPOINT_DISABLE = '1';
rmSync(inRepository('.tmp', 'reports'), { recursive: true, force: true });
const plan = process.argv.includes('--changed') ? await planChangedSuites() : ALL_SUITES;
const database = await startTestDatabaseOrExit();
const results = await runAll(plan, database.url).finally(async () => {
  await endTestInstances();
  await database.stop();
});
printSummary(results);
const { passed, failed } = sum(results);
console.log(`took ${Math.round((Date.now() - startedAt) / 1000)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 || interruption.signal.aborted ? 1 : 0;
