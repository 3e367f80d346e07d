/** Reads the report files of test runners (Vitest and Playwright). */
import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export interface Failure {
  /** File and name of the test, as the runner prints them. */
  test: string;
  /** Error message, without color codes. */
  message: string;
}

export interface Counts {
  passed: number;
  failed: number;
}

export interface Report extends Counts {
  failures: Failure[];
}

export interface SuiteResult extends Report {
  name: string;
  /** Reason for a failure that is not a failed test; null: none. */
  note: string | null;
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
  }[];
}

interface PlaywrightSuite {
  specs?: {
    title: string;
    file: string;
    line: number;
    tests: { status: string; results: { error?: { message?: string } }[] }[];
  }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
  errors: { message?: string }[];
  suites?: PlaywrightSuite[];
}

const plain = (text: string | null | undefined) => stripVTControlCharacters(text ?? '').trim();

/** A file that fails without a failed test could not be run, and counts as one failure. */
export function readVitest(report: VitestReport): Report {
  const failures: Failure[] = [];
  let passed = 0;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const file = basename(name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    passed += assertionResults.filter((test) => test.status === 'passed').length;
    for (const test of failed) {
      failures.push({ test: `${file} › ${test.fullName}`, message: plain(test.failureMessages?.join('\n')) });
    }
    if (failed.length === 0 && status === 'failed') failures.push({ test: file, message: plain(message) });
  }
  return { passed, failed: failures.length, failures };
}

/** A test that passes only after a retry counts as failed. */
export function readPlaywright({ stats, errors, suites = [] }: PlaywrightReport): Report {
  const failures = [
    ...suites.flatMap(failuresOf),
    ...errors.map(({ message }) => ({ test: 'outside all tests', message: plain(message) })),
  ];
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, failures };
}

function failuresOf({ specs = [], suites = [] }: PlaywrightSuite): Failure[] {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => ({
        test: `${file}:${line} › ${title}`,
        message: plain(results.find(({ error }) => error)?.error?.message),
      })),
  );
  return [...own, ...suites.flatMap(failuresOf)];
}

/** A missing report, a run without tests, and an error outside the tests each count as one failure. */
export function toSuiteResult(name: string, report: Report | null, hasExitedWell: boolean): SuiteResult {
  const failure = (note: string) => ({ name, passed: report?.passed ?? 0, failed: 1, failures: [], note });
  if (!report) return failure('wrote no report');
  if (report.passed + report.failed === 0) return failure('ran no tests');
  if (!hasExitedWell && report.failed === 0) return failure('exited with an error although no test failed');
  return { name, ...report, note: null };
}

/** Maximum lines of a message in the summary. The runner's output contains the whole message. */
const MESSAGE_LINES = 12;
/** Calls inside the runner and other packages, which say nothing about the failure. */
const STACK_OF_PACKAGES = /^\s+at .*(node_modules|node:internal)/;

/** Lists the failed tests again, for the summary at the end of the output. */
export function describeFailures({ name, failures }: SuiteResult): string[] {
  return failures.flatMap(({ test, message }) => [
    `✘ ${name}: ${test}`,
    ...message
      .split('\n')
      .filter((line) => !STACK_OF_PACKAGES.test(line))
      .slice(0, MESSAGE_LINES)
      .map((line) => `    ${line}`),
  ]);
}

export function sum(results: Counts[]): Counts {
  return results.reduce((total, { passed, failed }) => ({ passed: total.passed + passed, failed: total.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}
