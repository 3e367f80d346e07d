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
  /** Tests that passed on their second attempt, with the error of the first one. They count as passed. */
  retried: Failure[];
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

type BrowserStatus = 'expected' | 'unexpected' | 'flaky' | 'skipped';

interface PlaywrightSuite {
  specs?: {
    title: string;
    file: string;
    line: number;
    tests: { status: BrowserStatus; results: { error?: { message?: string } }[] }[];
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
  const retried: Failure[] = [];
  let passed = 0;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const file = basename(name);
    const testsWith = (wanted: string) => assertionResults.filter((test) => test.status === wanted);
    const describeErrors = ({ fullName, failureMessages }: (typeof assertionResults)[number]) => ({
      test: `${file} › ${fullName}`,
      message: plain(failureMessages?.join('\n')),
    });
    passed += testsWith('passed').length;
    failures.push(...testsWith('failed').map(describeErrors));
    // A passed test has errors if an earlier attempt failed.
    retried.push(
      ...testsWith('passed')
        .map(describeErrors)
        .filter((test) => test.message !== ''),
    );
    if (testsWith('failed').length === 0 && status === 'failed') failures.push({ test: file, message: plain(message) });
  }
  return { passed, failed: failures.length, failures, retried };
}

export function readPlaywright({ stats, errors, suites = [] }: PlaywrightReport): Report {
  const errorsOf = (status: BrowserStatus) => suites.flatMap((suite) => testsOf(suite, status));
  const failures = [
    ...errorsOf('unexpected'),
    ...errors.map(({ message }) => ({ test: 'outside all tests', message: plain(message) })),
  ];
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    failures,
    retried: errorsOf('flaky'),
  };
}

/** The tests with a status, and the error of their first failed attempt. */
function testsOf({ specs = [], suites = [] }: PlaywrightSuite, wanted: BrowserStatus): Failure[] {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === wanted)
      .map(({ results }) => ({
        test: `${file}:${line} › ${title}`,
        message: plain(results.find(({ error }) => error)?.error?.message),
      })),
  );
  return [...own, ...suites.flatMap((suite) => testsOf(suite, wanted))];
}

/** A missing report, a run without tests, and an error outside the tests each count as one failure. */
export function toSuiteResult(name: string, report: Report | null, hasExitedWell: boolean): SuiteResult {
  const failure = (note: string) => ({
    name,
    passed: report?.passed ?? 0,
    failed: 1,
    failures: [],
    retried: report?.retried ?? [],
    note,
  });
  if (!report) return failure('wrote no report');
  if (report.passed + report.failed === 0) return failure('ran no tests');
  if (!hasExitedWell && report.failed === 0) return failure('exited with an error although no test failed');
  return { name, ...report, note: null };
}

/** Maximum lines of a message in the summary. The runner's output contains the whole message. */
const MESSAGE_LINES = 12;
/** Calls inside the runner and other packages, which say nothing about the failure. */
const STACK_OF_PACKAGES = /^\s+at .*(node_modules|node:internal)/;

const describeTests = (sign: string, suite: string, tests: Failure[]): string[] =>
  tests.flatMap(({ test, message }) => [
    `${sign} ${suite}: ${test}`,
    ...message
      .split('\n')
      .filter((line) => !STACK_OF_PACKAGES.test(line))
      .slice(0, MESSAGE_LINES)
      .map((line) => `    ${line}`),
  ]);

/** Lists the failed tests again, for the summary at the end of the output. */
export const describeFailures = ({ name, failures }: SuiteResult): string[] => describeTests('✘', name, failures);

/** Lists the tests that passed on their second attempt, with their number: each of them is a defect of the test or the product. */
export function describeRetried(results: SuiteResult[]): string[] {
  const lines = results.flatMap(({ name, retried }) => describeTests('↻', name, retried));
  const count = results.reduce((total, { retried }) => total + retried.length, 0);
  return count === 0 ? [] : [`passed on retry: ${count}`, ...lines];
}

export function sum(results: Counts[]): Counts {
  return results.reduce((total, { passed, failed }) => ({ passed: total.passed + passed, failed: total.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}
