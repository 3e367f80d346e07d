import { afterEach, expect, test, vi } from 'vitest';
import { emptyDraft, readDraft } from '~/api/connections/connection-draft';
import type { Draft } from '~/api/connections/connection-draft';
import { questionOf } from './estimate-question';

const draft: Draft = {
  ...emptyDraft,
  sourceId: 's',
  destinationId: 'd',
  streams: ['campaign_daily'],
  schedule: { kind: 'manual', timeZone: 'UTC' },
  historyFrom: '2026-01-01',
};

afterEach(() => void vi.unstubAllGlobals());

test('asks with the hashed fields of the selected streams, without excluded ones', () => {
  const hashed = { campaign_daily: ['campaign_name', 'status'], ad_daily: ['ad_name'] };
  expect(questionOf({ ...draft, hashed, leftOut: { campaign_daily: ['status'] } })).toMatchObject({
    leftOut: [{ stream: 'campaign_daily', columns: ['status'] }],
    hashedFields: [{ stream: 'campaign_daily', columns: ['campaign_name'] }],
  });
});

test('a draft that was stored before fields could be hashed has none', () => {
  const { hashed: _, ...older } = draft;
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify(older) });
  const opened = readDraft('o');
  expect(opened).toEqual(draft);
  expect(questionOf(opened ?? emptyDraft)).toMatchObject({ hashedFields: [] });
});
