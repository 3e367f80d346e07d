/** What a runner's report file says, in the two shapes there are. */

export interface Counts {
  passed: number;
  failed: number;
}

export interface SuiteResult extends Counts {
  name: string;
  /** Why something counts as failed that no test said; null when the tests speak for themselves. */
  note: string | null;
}

/** Jest's own, which Vitest writes as well. */
interface JestReport {
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
  errors: unknown[];
}

/** A file that fails without a failing test could not be run at all: that is one failure, not none. */
export function countJest(report: JestReport): Counts {
  const counts = { passed: 0, failed: 0 };
  for (const { status, assertionResults } of report.testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed').length;
    counts.passed += assertionResults.filter((test) => test.status === 'passed').length;
    counts.failed += failed === 0 && status === 'failed' ? 1 : failed;
  }
  return counts;
}

/** A test that passes only at the second try has failed once. */
export function countPlaywright({ stats, errors }: PlaywrightReport): Counts {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
}

/** A runner must not be able to hide anything: no report, no test, or an error besides the tests each count as a failure. */
export function judge(name: string, counts: Counts | null, hasExitedWell: boolean): SuiteResult {
  const failure = (note: string) => ({ name, passed: counts?.passed ?? 0, failed: 1, note });
  if (!counts) return failure('left no report');
  if (counts.passed + counts.failed === 0) return failure('executed no test');
  if (!hasExitedWell && counts.failed === 0) return failure('ended with an error besides its tests');
  return { name, ...counts, note: null };
}

export function sum(results: Counts[]): Counts {
  return results.reduce((total, { passed, failed }) => ({ passed: total.passed + passed, failed: total.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}
