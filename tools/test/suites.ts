import { mkdirSync } from 'node:fs';
import { readJsonFile } from '../json-file.ts';
import { runCommand } from '../processes/run-command.ts';
import { inRepository } from '../repository.ts';
import { fileTimesFile, readPlaywrightTimes, writeFileTimes, type FileTime } from './file-times.ts';
import { toSuiteResult, readVitest, readPlaywright, type Report, type SuiteResult } from './results.ts';

export interface Suite {
  name: string;
  command: string[];
  environment?: Record<string, string>;
  read: (report: never) => Report;
  /** The times of its files in its report. Unset: the runner writes them itself. */
  timesOf?: (report: never) => FileTime[];
  /** No test is no failure: the runner selects those that a change can break. */
  mayBeEmpty?: boolean;
}

/** What runs: the quick suites one after the other, then the backend; the browser beside them. */
export interface SuitePlan {
  quick: Suite[];
  backend: Suite | null;
  browser: Suite | null;
}

/** Ends a hanging suite. The backend tests take about 25 minutes on two processors. */
const SUITE_TIMEOUT_MS = 60 * 60_000;
const reportFile = (name: string) => inRepository('.tmp', 'reports', `${name}.json`);
const FILE_TIMES_REPORTER = inRepository('tools', 'test', 'file-times-reporter.ts');
/** A test that fails gets a second attempt, and the summary lists it. A suite that runs alone has no retries. */
const vitestOptions = (name: string) => [
  '--retry=1',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportFile(name)}`,
  `--reporter=${FILE_TIMES_REPORTER}`,
];

const vitestOf = (workspace: string): Suite => ({
  name: workspace,
  command: ['npm', 'test', '--silent', '-w', workspace, '--', ...vitestOptions(workspace)],
  read: readVitest,
});

/** The tests of a workspace that import one of the files, directly or through others. */
export const relatedTests = (suite: Suite, files: string[]): Suite => ({
  ...suite,
  command: [
    'npm',
    'exec',
    '--silent',
    '-w',
    suite.name,
    '--',
    'vitest',
    'related',
    '--run',
    ...files,
    ...vitestOptions(suite.name),
  ],
  mayBeEmpty: true,
});

export const TOOLS: Suite = {
  name: 'tools',
  command: ['vitest', 'run', '--config', 'tools/vitest.config.ts', ...vitestOptions('tools')],
  read: readVitest,
};
export const SANDBOX = vitestOf('sandbox');
export const FRONTEND = vitestOf('frontend');
export const BACKEND = vitestOf('backend');
export const BROWSER: Suite = {
  name: 'browser',
  command: ['npm', 'run', 'e2e', '--silent', '-w', 'frontend', '--', '--retries=1', '--reporter=list,json'],
  environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile('browser') },
  read: readPlaywright,
  timesOf: readPlaywrightTimes,
};

export const ALL_SUITES: SuitePlan = { quick: [TOOLS, SANDBOX, FRONTEND], backend: BACKEND, browser: BROWSER };

/** Prints whole lines with the name of the suite, so that the output of concurrent suites is readable. */
function prefixedWriter(name: string): { write: (text: string) => void; end: () => void } {
  let rest = '';
  const print = (line: string) => process.stdout.write(`${name.padEnd(8)} │ ${line}\n`);
  return {
    write: (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(print);
    },
    end: () => {
      if (rest) print(rest);
    },
  };
}

export async function runSuite(suite: Suite, databaseUrl: string, signal: AbortSignal): Promise<SuiteResult> {
  mkdirSync(inRepository('.tmp', 'reports'), { recursive: true });
  const output = prefixedWriter(suite.name);
  const [command = '', ...parameters] = suite.command;
  const environment = {
    TEST_DATABASE_URL: databaseUrl,
    FORCE_COLOR: '0',
    // The tests start the same programs about a hundred times: sandboxes, workers, the identity emulator.
    FILE_TIMES: fileTimesFile(suite.name),
    NODE_COMPILE_CACHE: inRepository('.tmp', 'compile-cache'),
    ...suite.environment,
  };
  const result = await runCommand(command, parameters, {
    environment,
    signal,
    timeoutMs: SUITE_TIMEOUT_MS,
    onOutput: output.write,
  });
  output.end();
  const report = readJsonFile<object>(reportFile(suite.name));
  if (report && suite.timesOf) writeFileTimes(suite.name, suite.timesOf(report as never));
  const counts = report && suite.read(report as never);
  if (suite.mayBeEmpty && counts?.passed === 0 && counts.failed === 0) return { name: suite.name, ...counts, note: 'no test' };
  return toSuiteResult(suite.name, counts, result.isPassed);
}
