import { expect, test } from 'vitest';
import { rememberFirstRun, rememberRun, takeStarted } from './started-runs';
import type { RunProgress } from '~/api/types';

test('knows a run that ends before the request that starts it has its response', async () => {
  const { promise, resolve } = Promise.withResolvers<{ id: string; hasFollowUp: boolean }>();
  const started = rememberRun(promise);
  const isOwn = takeStarted('early');
  resolve({ id: 'early', hasFollowUp: false });
  expect(await isOwn).toBe(true);
  expect((await started).id).toBe('early');
  expect(await takeStarted('early')).toBe(false);
});

test('does not report an active run that the requested one follows, or a run of another user', async () => {
  await rememberRun(Promise.resolve({ id: 'active', hasFollowUp: true }));
  expect(await takeStarted('active')).toBe(false);
  expect(await takeStarted('other')).toBe(false);
});

test('knows the first run of a created connection, also when it has ended already', async () => {
  await rememberFirstRun(Promise.resolve({ activeRun: { runId: 'first' } as RunProgress, lastRun: null }));
  await rememberFirstRun(Promise.resolve({ activeRun: null, lastRun: { id: 'ended' } as never }));
  expect(await takeStarted('first')).toBe(true);
  expect(await takeStarted('ended')).toBe(true);
});

test('a failed request starts no run and does not hold back ends', async () => {
  await expect(rememberRun(Promise.reject(new Error('403')))).rejects.toThrow('403');
  expect(await takeStarted('rejected')).toBe(false);
});
