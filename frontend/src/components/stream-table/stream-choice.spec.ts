import { expect, test } from 'vitest';
import type { CatalogStream, Level } from '~/api/types';
import { groupStreams, startingStreams, streamsFor, targetNameOf, writeModeOf } from './stream-choice';

const stream = (name: string, level: Level, breakdowns: string[] = [], column = 'cost_micros') =>
  ({ name, level, breakdowns, table: `google_ads_${name}`, columns: [{ name: column }] }) as unknown as CatalogStream;

const streams = [
  stream('campaign_daily', 'campaign'),
  stream('ad_group_daily', 'ad_group'),
  stream('keyword_daily', 'keyword'),
  stream('geographic_daily', 'campaign', ['country']),
  stream('conversion_action_daily', 'campaign', ['conversion_action'], 'conversions'),
  stream('ad_performance_daily', 'campaign'),
];
const warehouse = { provider: 'bigquery' as const, settings: { tablePrefix: 'ads_' } };
const mixpanel = { provider: 'mixpanel' as const, settings: { eventName: 'Ad Data', restatementMode: 'delta' } };

test('excludes reports without cost, clicks and impressions for Mixpanel', () => {
  expect(streamsFor(streams, mixpanel).map(({ name }) => name)).not.toContain('conversion_action_daily');
  expect(streamsFor(streams, warehouse)).toEqual(streams);
});

test('selects campaigns, ad groups and the unified table by default for a warehouse', () => {
  expect(startingStreams(streams, warehouse)).toEqual(['campaign_daily', 'ad_group_daily', 'ad_performance_daily']);
});

test('selects all reports by default when all are finer', () => {
  expect(startingStreams([stream('keyword_daily', 'keyword')], warehouse)).toEqual(['keyword_daily']);
});

test('selects one report by default for Mixpanel, so that spend is not counted twice', () => {
  expect(startingStreams(streams, mixpanel)).toEqual(['campaign_daily']);
  expect(startingStreams([stream('ad_performance_daily', 'campaign')], mixpanel)).toEqual(['ad_performance_daily']);
  expect(startingStreams([], mixpanel)).toEqual([]);
});

test('groups streams by level, coarse to fine, after the unified table', () => {
  expect(groupStreams(streams).map(({ level, streams: own }) => [level, own.length])).toEqual([
    [null, 1],
    ['campaign', 3],
    ['ad_group', 1],
    ['keyword', 1],
  ]);
});

test('returns the table with its prefix, or the Mixpanel event', () => {
  expect(targetNameOf(streams[0]!, warehouse)).toBe('ads_google_ads_campaign_daily');
  expect(targetNameOf(streams[0]!, mixpanel)).toBe('Ad Data');
});

test('returns the sync mode of the destination', () => {
  expect([warehouse, mixpanel, { ...mixpanel, settings: { restatementMode: 'resend' } }].map(writeModeOf)).toEqual([
    'Incremental, overwrite by day',
    'Incremental, deltas',
    'Incremental, resend changed rows',
  ]);
});
