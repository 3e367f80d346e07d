import { expect, test } from 'vitest';
import type { BackfillState } from './backfill';
import { backfillCan, backfillTable, chunkRows, whyPaused } from './backfill';

const states = Object.keys(backfillTable) as BackfillState[];
const allowing = (action: keyof typeof backfillCan) => states.filter((state) => backfillCan[action]({ state, mode: 'replace' }));

test('allows each action only in states in which the server accepts it', () => {
  expect(allowing('pause')).toEqual(['scheduled', 'running']);
  expect(allowing('resume')).toEqual(['paused']);
  expect(allowing('cancel')).toEqual(['scheduled', 'running', 'paused']);
  expect(backfillCan.cancel({ state: 'failed', mode: 'resync' })).toBe(true);
  expect(allowing('retryFailed')).toEqual(['completed_with_errors', 'failed']);
});

test('groups chunks by stream and account, oldest first', () => {
  const chunk = (accountId: string, from: string) => ({ stream: 'campaign_daily', accountId, from });
  const rows = chunkRows([chunk('a', '2026-02-01'), chunk('b', '2026-02-01'), chunk('a', '2026-01-01')]);
  expect(rows.map(({ accountId, chunks }) => [accountId, ...chunks.map(({ from }) => from)])).toEqual([
    ['a', '2026-01-01', '2026-02-01'],
    ['b', '2026-02-01'],
  ]);
});

test('explains a pause that no user requested', () => {
  expect([whyPaused('user'), whyPaused(null)]).toEqual([null, null]);
  expect(whyPaused('connection')).toContain('The connection is paused');
});
