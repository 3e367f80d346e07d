import { expect, test } from 'vitest';
import { describeProgress, progressPercent, stepFractions } from './run-progress';

test('a run nobody has taken up yet has an empty bar and says so', () => {
  const facts = { state: 'queued', step: null, slicesDone: 0, slicesTotal: 0 } as const;
  expect(stepFractions(facts)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(describeProgress(facts)).toBe('Waiting for a worker');
});

test('no slices planned divides by nothing', () => {
  const facts = { state: 'running', step: 'extract', slicesDone: 0, slicesTotal: 0 } as const;
  expect(stepFractions(facts)).toEqual([1, 0, 0, 0, 0, 0]);
  expect(progressPercent(facts)).toBe(0);
});

test('the slice under way counts for the parts it has passed', () => {
  expect(stepFractions({ state: 'running', step: 'load', slicesDone: 4, slicesTotal: 10 })).toEqual([1, 0.5, 0.5, 0.4, 0.4, 0]);
});

test('the last slice never fills a part beyond its end', () => {
  expect(stepFractions({ state: 'running', step: 'verify', slicesDone: 10, slicesTotal: 10 })).toEqual([1, 1, 1, 1, 1, 0]);
});

test('waiting for quota is said with how far it came', () => {
  expect(describeProgress({ state: 'waiting', step: 'extract', slicesDone: 1, slicesTotal: 3 })).toBe('Waiting for quota, 33%');
});

test('only a succeeded run is full', () => {
  expect(stepFractions({ state: 'succeeded', step: null, slicesDone: 9, slicesTotal: 9 })).toEqual([1, 1, 1, 1, 1, 1]);
});
