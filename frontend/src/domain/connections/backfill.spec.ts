import { expect, test } from 'vitest';
import type { BackfillState } from './backfill';
import { backfillCan, backfillTable, chunkRows, chunkText, whyPaused } from './backfill';

const states = Object.keys(backfillTable) as BackfillState[];
const allowing = (action: keyof typeof backfillCan) => states.filter((state) => backfillCan[action]({ state, mode: 'replace' }));

test('allows each action only in states in which the server accepts it', () => {
  expect(allowing('pause')).toEqual(['scheduled', 'running']);
  expect(allowing('resume')).toEqual(['paused']);
  expect(allowing('cancel')).toEqual(['scheduled', 'running', 'paused']);
  expect(backfillCan.cancel({ state: 'failed', mode: 'resync' })).toBe(true);
  expect(allowing('retryFailed')).toEqual(['completed_with_errors', 'failed']);
});

test('describes a chunk with its rows and its failure', () => {
  const chunk = { stream: 'campaign_daily', accountId: 'a', from: '2026-11-13', to: '2026-11-20', failure: null };
  const now = new Date('2026-11-21T09:00:00Z');
  expect(chunkText({ ...chunk, state: 'done', rows: 1 }, now)).toMatch(/, loaded, 1 row$/);
  const failure = { message: 'The table is locked.' };
  expect(chunkText({ ...chunk, state: 'failed', rows: 20, failure }, now)).toMatch(/, failed, 20 rows: The table is locked\.$/);
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
