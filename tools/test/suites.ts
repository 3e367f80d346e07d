import { mkdirSync } from 'node:fs';
import { readJsonFile } from '../json-file.ts';
import { runCommand } from '../processes/run-command.ts';
import { inRepository } from '../repository.ts';
import { toSuiteResult, readVitest, readPlaywright, type Report, type SuiteResult } from './results.ts';

export interface Suite {
  name: string;
  command: string[];
  environment?: Record<string, string>;
  read: (report: never) => Report;
  /** No test is no failure: the runner selects those that a change can break. */
  mayBeEmpty?: boolean;
}

/** What runs: the quick suites one after the other, then the backend; the browser beside them. */
export interface SuitePlan {
  quick: Suite[];
  backend: Suite | null;
  browser: Suite | null;
}

/** Ends a hanging suite. The backend tests take about ten minutes on two processors. */
const SUITE_TIMEOUT_MS = 35 * 60_000;
const reportFile = (name: string) => inRepository('.tmp', 'reports', `${name}.json`);
const vitestReport = (name: string) => ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile(name)}`];

const vitestOf = (workspace: string): Suite => ({
  name: workspace,
  command: ['npm', 'test', '--silent', '-w', workspace, '--', ...vitestReport(workspace)],
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
    ...vitestReport(suite.name),
  ],
  mayBeEmpty: true,
});

export const TOOLS: Suite = {
  name: 'tools',
  command: ['vitest', 'run', '--config', 'tools/vitest.config.ts', ...vitestReport('tools')],
  read: readVitest,
};
export const SANDBOX = vitestOf('sandbox');
export const FRONTEND = vitestOf('frontend');
export const BACKEND = vitestOf('backend');
export const BROWSER: Suite = {
  name: 'browser',
  command: ['npm', 'run', 'e2e', '--silent', '-w', 'frontend', '--', '--reporter=list,json'],
  environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile('browser') },
  read: readPlaywright,
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
  const counts = report && suite.read(report as never);
  if (suite.mayBeEmpty && counts?.passed === 0 && counts.failed === 0) return { name: suite.name, ...counts, note: 'no test' };
  return toSuiteResult(suite.name, counts, result.isPassed);
}
