import { expect, test } from 'vitest';
import { describeProgress, progressPercent, stepFractions } from './run-progress';

test('shows an empty bar for a queued run', () => {
  const facts = { state: 'queued', step: null, slicesDone: 0, slicesTotal: 0, failure: null } as const;
  expect(stepFractions(facts)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(describeProgress(facts)).toBe('Waiting for a worker');
});

test('shows no progress before slices are planned', () => {
  const facts = { state: 'running', step: 'extract', slicesDone: 0, slicesTotal: 0, failure: null } as const;
  expect(stepFractions(facts)).toEqual([1, 0, 0, 0, 0, 0]);
  expect(progressPercent(facts)).toBe(0);
});

test('counts the current slice for the steps it has completed', () => {
  expect(stepFractions({ state: 'running', step: 'load', slicesDone: 4, slicesTotal: 10, failure: null })).toEqual([
    1, 0.5, 0.5, 0.4, 0.4, 0,
  ]);
});

test('limits the progress of a step to 1', () => {
  expect(stepFractions({ state: 'running', step: 'verify', slicesDone: 10, slicesTotal: 10, failure: null })).toEqual([
    1, 1, 1, 1, 1, 0,
  ]);
});

test.each([
  [{ class: 'quota', code: 'google_ads.http_429' }, 'Waiting for quota, 33%'],
  [{ class: 'transient', code: 'meta_ads.report_pending' }, 'Waiting for a report, 33%'],
  [{ class: 'transient', code: 'postgresql.too_many_connections' }, 'Waiting to retry, 33%'],
])('names what a waiting run waits for: %o', (failure, text) => {
  expect(describeProgress({ state: 'waiting', step: 'extract', slicesDone: 1, slicesTotal: 3, failure })).toBe(text);
});

test('does not claim a used-up quota while the destination is unreachable', () => {
  const failure = { class: 'transient', code: 'postgresql.unreachable' };
  expect(describeProgress({ state: 'waiting', step: null, slicesDone: 0, slicesTotal: 0, failure })).toBe('Waiting to retry');
});

test('shows full progress for a succeeded run', () => {
  expect(stepFractions({ state: 'succeeded', step: null, slicesDone: 9, slicesTotal: 9, failure: null })).toEqual([
    1, 1, 1, 1, 1, 1,
  ]);
});
