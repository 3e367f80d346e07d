import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyDraft } from '~/api/connections/connection-draft';
import type { Draft } from '~/api/connections/connection-draft';
import { firstOpenStep, stepNeeds, stepToShow } from './steps';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const configured: Draft = {
  ...emptyDraft,
  sourceId: 's',
  destinationId: 'd',
  name: 'n',
  streams: ['campaign_daily'],
  chosenFor: { sourceId: 's', provider: 'postgresql' },
  schedule: { kind: 'manual', timeZone: 'UTC' },
  historyFrom: '2026-01-01',
};

test('does not show a step after the first incomplete one', () => {
  expect(stepToShow('review', emptyDraft)).toBe('source');
  expect(stepToShow('review', { ...emptyDraft, sourceId: 's' })).toBe('destination');
});

test('begins at the source without a step in the URL, whatever the draft contains', () => {
  expect(stepToShow(null, { ...emptyDraft, sourceId: 's', destinationId: 'd' })).toBe('source');
  expect(stepToShow('nonsense', configured)).toBe('source');
});

test('resumes a draft at its first incomplete step', () => {
  expect(firstOpenStep({ ...emptyDraft, sourceId: 's', destinationId: 'd' })).toBe('configure');
  expect(firstOpenStep(configured)).toBe('review');
});

test('shows Configure again when the settings were made for another source', () =>
  expect(stepToShow('review', { ...configured, sourceId: 'other' })).toBe('configure'));

test('allows going back', () => expect(stepToShow('source', { ...configured, streams: ['a'] })).toBe('source'));

test('is not configured without a stream', () => expect(firstOpenStep({ ...configured, streams: [] })).toBe('configure'));

test.each([
  ['2026-11-20', null, 'Enter a date from Jan 1, 2000 to yesterday'],
  ['0202-01-01', null, 'Enter a date from Jan 1, 2000 to yesterday'],
  ['', null, 'Enter a date from Jan 1, 2000 to yesterday'],
  ['2024-02-29', '2024-03-01', 'Enter a date from Mar 1, 2024 to yesterday'],
  ['2026-11-19', '2024-03-01', null],
  ['2024-03-01', '2024-03-01', null],
])('validates start date %s with earliest day %s: %s', (historyFrom, earliest, needed) => {
  const draft = { ...configured, streams: ['a'], historyFrom, earliest };
  expect(stepNeeds('configure', draft)).toBe(needed);
  expect(stepToShow('review', draft)).toBe(needed === null ? 'review' : 'configure');
});
