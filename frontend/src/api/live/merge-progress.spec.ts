import { expect, test } from 'vitest';
import { isProgress, mergeIntoConnection, mergeIntoRun, mergeIntoRuns } from './merge-progress';
import type { Connection, Run, RunPage, RunProgress } from '~/api/types';

const progress = (given: Partial<RunProgress> = {}): RunProgress => ({
  runId: 'run-1',
  connectionId: 'connection-1',
  kind: 'scheduled',
  track: 'regular',
  isStuck: false,
  state: 'running',
  step: 'load',
  slicesDone: 5,
  slicesTotal: 10,
  rowsRead: 100,
  rowsWritten: 80,
  apiCalls: 3,
  quotaWaitMs: 0,
  failure: null,
  resumeAt: null,
  startedAt: '2026-11-20T09:00:00Z',
  rowsPerSecond: 40,
  updatedAt: '2026-11-20T09:00:05Z',
  ...given,
});

const connection = (activeRun: RunProgress | null) => ({ id: 'connection-1', activeRun }) as Connection;

test('ignores an older event', () => {
  const known = connection(progress({ slicesDone: 7, updatedAt: '2026-11-20T09:00:09Z' }));
  expect(mergeIntoConnection(known, progress())?.activeRun?.slicesDone).toBe(7);
});

test('ignores progress of another connection', () => {
  const known = connection(null);
  expect(mergeIntoConnection(known, progress({ connectionId: 'other' }))).toBe(known);
});

test('ignores the progress of a backfill, which runs beside the active run', () => {
  const known = connection(progress());
  expect(mergeIntoConnection(known, progress({ runId: 'run-2', kind: 'backfill', track: 'backfill' }))).toBe(known);
});

test('updates the progress, and leaves the end to the response that has the new health, too', () => {
  const moved = mergeIntoConnection(connection(null), progress());
  expect(moved?.activeRun?.slicesDone).toBe(5);
  expect(mergeIntoConnection(moved, progress({ state: 'succeeded', updatedAt: '2026-11-20T09:01:00Z' }))).toBe(moved);
});

test('ignores a late event for a run that has ended', () => {
  const ended = { id: 'run-1', state: 'succeeded', rowsWritten: 100 } as Run;
  expect(mergeIntoRun(ended, progress())).toBe(ended);
});

test('shows the progress in the list of runs, too', () => {
  const page = {
    items: [
      { id: 'run-1', state: 'queued' },
      { id: 'run-0', state: 'queued' },
    ],
    nextCursor: null,
  } as RunPage;
  expect(mergeIntoRuns(page, progress())?.items.map(({ state }) => state)).toEqual(['running', 'queued']);
});

test('rejects messages of another format', () => {
  expect([
    isProgress(null),
    isProgress({ runId: 'a' }),
    isProgress({ ...progress(), state: 'new' }),
    isProgress(progress()),
  ]).toEqual([false, false, false, true]);
});
