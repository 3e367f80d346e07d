import { expect, test } from 'vitest';
import { emptyDraft } from '~/api/connections/connection-draft';
import type { Draft } from '~/api/connections/connection-draft';
import type { CatalogStream } from '~/api/types';
import { startingValues } from './starting-values';

const stream = (name: string) =>
  ({ name, level: 'campaign', breakdowns: [], columns: [{ name: 'clicks' }] }) as unknown as CatalogStream;

const streams = ['campaign_daily', 'hourly_daily', 'ad_performance_daily'].map(stream);
const warehouse = { provider: 'bigquery' as const, settings: {} };
const mixpanel = { provider: 'mixpanel' as const, settings: {} };
const search = { id: 's1', name: 'Search', earliestAvailable: '2024-01-01' };
const social = { id: 's2', name: 'Social', earliestAvailable: null };
const reader = { now: new Date('2026-11-20T12:00:00Z'), timeZone: 'Europe/Paris' };

const settled = (
  draft: Draft,
  source: typeof search | typeof social,
  destination: typeof warehouse | typeof mixpanel,
): Draft => ({
  ...draft,
  ...startingValues(draft, { source, destination, streams }, reader),
});
const first = settled(emptyDraft, search, warehouse);

test('resets the streams when the destination changes from a warehouse to Mixpanel', () => {
  expect(first.streams).toHaveLength(3);
  expect(settled(first, search, mixpanel).streams).toEqual(['campaign_daily']);
});

test('resets streams, lookback window, excluded and hashed fields when the source changes', () => {
  const few = {
    ...first,
    streams: ['hourly_daily'],
    lookbackDays: 12,
    leftOut: { hourly_daily: ['status'] },
    hashed: { hourly_daily: ['name'] },
  };
  expect(settled(few, social, warehouse)).toMatchObject({ streams: first.streams, lookbackDays: null, leftOut: {}, hashed: {} });
  expect(settled(few, search, warehouse)).toMatchObject({ leftOut: few.leftOut, hashed: few.hashed });
});

test('keeps the selection when the destination changes to another warehouse', () => {
  const few = { ...first, streams: ['hourly_daily'], lookbackDays: 12 };
  const postgresql = { provider: 'postgresql' as unknown as 'bigquery', settings: {} };
  expect(settled(few, search, postgresql)).toMatchObject({ streams: ['hourly_daily'], lookbackDays: 12 });
});

test('keeps an empty selection and removes streams that are no longer offered', () => {
  expect(settled({ ...first, streams: [] }, search, warehouse).streams).toEqual([]);
  expect(settled({ ...first, streams: ['unknown', 'hourly_daily'] }, search, warehouse).streams).toEqual(['hourly_daily']);
});

test('takes the name of the source until the user edits it', () => {
  expect(settled(first, social, warehouse).name).toBe('Social');
  expect(settled({ ...first, name: 'Mine', isNameTyped: true }, social, warehouse).name).toBe('Mine');
});

test('keeps "all history" when the earliest day changes', () => {
  const all = { ...first, historyFrom: '2024-01-01' };
  expect(settled(all, { ...search, earliestAvailable: '2024-01-02' }, warehouse).historyFrom).toBe('2024-01-02');
});

test('starts no earlier than the earliest day of the platform', () => {
  expect(first.historyFrom).toBe('2026-08-22');
  expect(settled(emptyDraft, { ...search, earliestAvailable: '2026-11-01' }, warehouse).historyFrom).toBe('2026-11-01');
});

test('returns null for a draft that needs no change', () => {
  expect(startingValues(first, { source: search, destination: warehouse, streams }, reader)).toBeNull();
});
