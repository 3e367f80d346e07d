import { describe, expect, it } from 'vitest';
import { countJest, countPlaywright, judge, sum } from './results.ts';

const file = (status: string, ...tests: string[]) => ({ status, assertionResults: tests.map((test) => ({ status: test })) });

describe('counting reports', () => {
  it('counts a file that cannot be loaded as one failure, though no test of it failed', () => {
    expect(countJest({ testResults: [file('failed'), file('passed', 'passed')] })).toEqual({ passed: 1, failed: 1 });
  });

  it('counts failing tests once, not once more for their file', () => {
    expect(countJest({ testResults: [file('failed', 'failed', 'passed', 'failed')] })).toEqual({ passed: 1, failed: 2 });
  });

  it('does not count a skipped test as passed', () => {
    expect(countJest({ testResults: [file('passed', 'passed', 'pending', 'todo')] })).toEqual({ passed: 1, failed: 0 });
  });

  it('counts a browser test that passes only at the second try as failed', () => {
    expect(countPlaywright({ stats: { expected: 3, unexpected: 1, flaky: 1 }, errors: [] })).toEqual({ passed: 3, failed: 2 });
  });

  it('counts an error outside of all browser tests', () => {
    expect(countPlaywright({ stats: { expected: 0, unexpected: 0, flaky: 0 }, errors: [{}] })).toEqual({ passed: 0, failed: 1 });
  });
});

describe('judging a runner', () => {
  it('fails one that left no report', () => {
    expect(judge('backend', null, true)).toEqual({ name: 'backend', passed: 0, failed: 1, note: 'left no report' });
  });

  it('fails one that executed nothing', () => {
    expect(judge('backend', { passed: 0, failed: 0 }, true)).toMatchObject({ failed: 1, note: 'executed no test' });
  });

  it('fails one that ends with an error while all its tests passed', () => {
    expect(judge('backend', { passed: 5, failed: 0 }, false)).toMatchObject({ passed: 5, failed: 1 });
  });

  it('adds nothing to what failing tests already say', () => {
    expect(judge('backend', { passed: 5, failed: 2 }, false)).toEqual({ name: 'backend', passed: 5, failed: 2, note: null });
  });

  it('sums all of them', () => {
    expect(sum([judge('a', { passed: 5, failed: 2 }, false), judge('b', null, false)])).toEqual({ passed: 5, failed: 3 });
  });
});
