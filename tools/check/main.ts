/** `make check`: runs all checks that are not tests. */
import { startTestDatabaseOrExit } from '../postgres/test-database.ts';
import { printOutcome } from './print-outcome.ts';
import { runSteps } from './run-steps.ts';
import { checkSteps } from './steps.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

const database = await startTestDatabaseOrExit();
try {
  const options = { atOnce: 2, signal: interruption.signal, onOutcome: printOutcome };
  const outcomes = await runSteps(checkSteps(database.url), options);
  const failed = outcomes.filter(({ isPassed }) => !isPassed);
  console.log(failed.length === 0 ? 'All checks passed' : `Failed: ${failed.map(({ name }) => name).join(', ')}`);
  process.exitCode = failed.length > 0 || interruption.signal.aborted ? 1 : 0;
} finally {
  await database.stop();
}
