import { describe, expect, it } from 'vitest';
import { describeFailures, describeRetried, toSuiteResult, readVitest, readPlaywright, sum } from './results.ts';

const file = (status: string, ...tests: string[]) => ({
  name: '/anywhere/backend/src/runs.spec.ts',
  status,
  message: 'Cannot find module',
  assertionResults: tests.map((test) => ({
    status: test,
    fullName: `a run that ${test}`,
    failureMessages: test === 'failed' ? ['\u001b[31mexpected 1\u001b[39m'] : [],
  })),
});
/** What Vitest writes for a test whose first attempt failed. */
const retriedFile = {
  ...file('passed', 'passed'),
  assertionResults: [
    { status: 'passed', fullName: 'a late run', failureMessages: ['\u001b[31mexpected 1\u001b[39m'] },
    { status: 'passed', fullName: 'a run in time', failureMessages: [] },
  ],
};
const browserTest = (status: 'expected' | 'unexpected' | 'flaky', title: string) => ({
  title,
  file: 'e2e/login.spec.ts',
  line: 7,
  tests: [{ status, results: [{}, { error: { message: 'element is hidden' } }] }],
});

describe('readVitest and readPlaywright', () => {
  it('counts a file that cannot be loaded as one failure', () => {
    const report = readVitest({ testResults: [file('failed'), file('passed', 'passed')] });
    expect(report).toEqual({
      passed: 1,
      failed: 1,
      failures: [{ test: 'runs.spec.ts', message: 'Cannot find module' }],
      retried: [],
    });
  });

  it('counts and names each failed test once, and does not also count its file', () => {
    const report = readVitest({ testResults: [file('failed', 'failed', 'passed', 'failed')] });
    const failure = { test: 'runs.spec.ts › a run that failed', message: 'expected 1' };
    expect(report).toEqual({ passed: 1, failed: 2, failures: [failure, failure], retried: [] });
  });

  it('does not count a skipped test as passed', () => {
    const report = readVitest({ testResults: [file('passed', 'passed', 'pending', 'todo')] });
    expect(report).toEqual({ passed: 1, failed: 0, failures: [], retried: [] });
  });

  it('counts a test that passes on its second attempt as passed, and names it with the error of the first one', () => {
    const report = readVitest({ testResults: [retriedFile] });
    expect(report).toEqual({
      passed: 2,
      failed: 0,
      failures: [],
      retried: [{ test: 'runs.spec.ts › a late run', message: 'expected 1' }],
    });
  });

  it('distinguishes a browser test that passes on its second attempt from a failed one', () => {
    const suites = [
      { specs: [browserTest('flaky', 'late')], suites: [{ specs: [browserTest('unexpected', 'never')] }] },
      { specs: [browserTest('expected', 'fine')] },
    ];
    expect(readPlaywright({ stats: { expected: 3, unexpected: 1, flaky: 1 }, errors: [], suites })).toEqual({
      passed: 4,
      failed: 1,
      failures: [{ test: 'e2e/login.spec.ts:7 › never', message: 'element is hidden' }],
      retried: [{ test: 'e2e/login.spec.ts:7 › late', message: 'element is hidden' }],
    });
  });

  it('counts an error outside all browser tests', () => {
    expect(
      readPlaywright({ stats: { expected: 0, unexpected: 0, flaky: 0 }, errors: [{ message: 'no browser' }] }),
    ).toMatchObject({ passed: 0, failed: 1, failures: [{ message: 'no browser' }] });
  });

  it('lists a failed test with its name and the start of its message', () => {
    const message = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
    const lines = describeFailures(
      toSuiteResult('backend', { passed: 5, failed: 1, failures: [{ test: 'a run', message }], retried: [] }, false),
    );
    expect(lines.slice(0, 2)).toEqual(['✘ backend: a run', '    line 0']);
    expect(lines).toHaveLength(13);
  });

  it('lists a failure without the calls inside packages', () => {
    const message =
      'Error: expected 1\n    at runs.spec.ts:7:3\n    at run (file:///x/node_modules/vitest/dist/run.js:1:1)\n    at node:internal/x';
    const result = toSuiteResult('backend', { passed: 5, failed: 1, failures: [{ test: 'a run', message }], retried: [] }, false);
    expect(describeFailures(result)).toEqual(['✘ backend: a run', '    Error: expected 1', '        at runs.spec.ts:7:3']);
  });
});

describe('the list of retried tests', () => {
  const suite = (name: string, ...tests: string[]) =>
    toSuiteResult(name, { ...report(5, 0), retried: tests.map((test) => ({ test, message: 'expected 1' })) }, true);

  it('has their number, each test and why it failed before', () => {
    expect(describeRetried([suite('backend', 'a run'), suite('tools'), suite('browser', 'login')])).toEqual([
      'passed on retry: 2',
      '↻ backend: a run',
      '    expected 1',
      '↻ browser: login',
      '    expected 1',
    ]);
  });

  it('is empty when all tests passed on their first attempt', () => {
    expect(describeRetried([suite('backend'), toSuiteResult('tools', null, true)])).toEqual([]);
  });
});

const report = (passed: number, failed: number) => ({ passed, failed, failures: [], retried: [] });

describe('the result of a runner', () => {
  it('is a failure without a report', () => {
    expect(toSuiteResult('backend', null, true)).toMatchObject({
      name: 'backend',
      passed: 0,
      failed: 1,
      note: 'wrote no report',
    });
  });

  it('is a failure when no test ran', () => {
    expect(toSuiteResult('backend', report(0, 0), true)).toMatchObject({ failed: 1, note: 'ran no tests' });
  });

  it('is a failure when the runner exits with an error although all tests passed', () => {
    expect(toSuiteResult('backend', report(5, 0), false)).toMatchObject({ passed: 5, failed: 1 });
  });

  it('does not add a failure when tests failed', () => {
    expect(toSuiteResult('backend', report(5, 2), false)).toMatchObject({ passed: 5, failed: 2, note: null });
  });

  it('sums the results of all runners', () => {
    expect(sum([toSuiteResult('a', report(5, 2), false), toSuiteResult('b', null, false)])).toEqual({ passed: 5, failed: 3 });
  });
});
