/** What a runner's report file says, in the two shapes there are. */
import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export interface Failure {
  /** File and sentence, as the runner prints them. */
  test: string;
  /** How it failed; without the colours some runners leave in. */
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
  /** Why something counts as failed that no test said; null when the tests speak for themselves. */
  note: string | null;
}

/** Jest's own, which Vitest writes as well. */
interface JestReport {
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

/** A file that fails without a failing test could not be run at all: that is one failure, not none. */
export function readJest(report: JestReport): Report {
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

/** A test that passes only at the second try has failed once. */
export function readPlaywright({ stats, errors, suites = [] }: PlaywrightReport): Report {
  const failures = [
    ...suites.flatMap(failuresOf),
    ...errors.map(({ message }) => ({ test: 'outside of all tests', message: plain(message) })),
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

/** A runner must not be able to hide anything: no report, no test, or an error besides the tests each count as a failure. */
export function judge(name: string, report: Report | null, hasExitedWell: boolean): SuiteResult {
  const failure = (note: string) => ({ name, passed: report?.passed ?? 0, failed: 1, failures: [], note });
  if (!report) return failure('left no report');
  if (report.passed + report.failed === 0) return failure('executed no test');
  if (!hasExitedWell && report.failed === 0) return failure('ended with an error besides its tests');
  return { name, ...report, note: null };
}

/** Lines of a message that are worth repeating at the end; the whole of it stands further up. */
const MESSAGE_LINES = 12;

/** What failed, told once more where everybody looks: just above the sum. */
export function describeFailures({ name, failures }: SuiteResult): string[] {
  return failures.flatMap(({ test, message }) => [
    `✘ ${name}: ${test}`,
    ...message
      .split('\n')
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
