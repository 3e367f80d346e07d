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

test('streams ticked for a warehouse are not taken over to Mixpanel, where their spend would count more than once', () => {
  expect(first.streams).toHaveLength(3);
  expect(settled(first, search, mixpanel).streams).toEqual(['campaign_daily']);
});

test('streams ticked for one source are not taken over to another', () => {
  const few = { ...first, streams: ['hourly_daily'], lookbackDays: 12, leftOut: { hourly_daily: ['status'] } };
  expect(settled(few, social, warehouse)).toMatchObject({ streams: first.streams, lookbackDays: null, leftOut: {} });
  expect(settled(few, search, warehouse).leftOut).toEqual(few.leftOut);
});

test('another warehouse keeps what was chosen', () => {
  const few = { ...first, streams: ['hourly_daily'], lookbackDays: 12 };
  const postgresql = { provider: 'postgresql' as unknown as 'bigquery', settings: {} };
  expect(settled(few, search, postgresql)).toMatchObject({ streams: ['hourly_daily'], lookbackDays: 12 });
});

test('nothing ticked stays nothing ticked, and a stream that is offered no more goes', () => {
  expect(settled({ ...first, streams: [] }, search, warehouse).streams).toEqual([]);
  expect(settled({ ...first, streams: ['gone', 'hourly_daily'] }, search, warehouse).streams).toEqual(['hourly_daily']);
});

test('the name follows the source until somebody types one', () => {
  expect(settled(first, social, warehouse).name).toBe('Social');
  expect(settled({ ...first, name: 'Mine', isNameTyped: true }, social, warehouse).name).toBe('Mine');
});

test('who wanted all history goes on wanting it when the oldest day has moved on', () => {
  const all = { ...first, historyFrom: '2024-01-01' };
  expect(settled(all, { ...search, earliestAvailable: '2024-01-02' }, warehouse).historyFrom).toBe('2024-01-02');
});

test('history begins no earlier than the platform answers for', () => {
  expect(first.historyFrom).toBe('2026-08-22');
  expect(settled(emptyDraft, { ...search, earliestAvailable: '2026-11-01' }, warehouse).historyFrom).toBe('2026-11-01');
});

test('a draft that fits is left alone', () => {
  expect(startingValues(first, { source: search, destination: warehouse, streams }, reader)).toBeNull();
});
