import { expect, test } from 'vitest';
import { describeProgress, progressPercent, stepFractions } from './run-progress';

test('shows an empty bar for a queued run', () => {
  const facts = { state: 'queued', step: null, slicesDone: 0, slicesTotal: 0 } as const;
  expect(stepFractions(facts)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(describeProgress(facts)).toBe('Waiting for a worker');
});

test('shows no progress before slices are planned', () => {
  const facts = { state: 'running', step: 'extract', slicesDone: 0, slicesTotal: 0 } as const;
  expect(stepFractions(facts)).toEqual([1, 0, 0, 0, 0, 0]);
  expect(progressPercent(facts)).toBe(0);
});

test('counts the current slice for the steps it has completed', () => {
  expect(stepFractions({ state: 'running', step: 'load', slicesDone: 4, slicesTotal: 10 })).toEqual([1, 0.5, 0.5, 0.4, 0.4, 0]);
});

test('limits the progress of a step to 1', () => {
  expect(stepFractions({ state: 'running', step: 'verify', slicesDone: 10, slicesTotal: 10 })).toEqual([1, 1, 1, 1, 1, 0]);
});

test('shows the progress of a run that waits for quota', () => {
  expect(describeProgress({ state: 'waiting', step: 'extract', slicesDone: 1, slicesTotal: 3 })).toBe('Waiting for quota, 33%');
});

test('shows full progress for a succeeded run', () => {
  expect(stepFractions({ state: 'succeeded', step: null, slicesDone: 9, slicesTotal: 9 })).toEqual([1, 1, 1, 1, 1, 1]);
});
