import { expect, test } from 'vitest';
import { emptyDraft } from '../../api/connection-draft';
import { firstOpenStep, stepToShow } from './steps';

const configured = {
  ...emptyDraft,
  sourceId: 's',
  destinationId: 'd',
  name: 'n',
  streams: ['campaign_daily'],
  schedule: { kind: 'manual', timeZone: 'UTC' },
  historyFrom: '2026-01-01',
} as const;

test('a step beyond the first open one is not shown, however it was asked for', () => {
  expect(stepToShow('review', emptyDraft)).toBe('source');
  expect(stepToShow('review', { ...emptyDraft, sourceId: 's' })).toBe('destination');
});

test('without a step in the address the draft is resumed where it stands', () => {
  expect(stepToShow(null, { ...emptyDraft, sourceId: 's', destinationId: 'd' })).toBe('configure');
  expect(stepToShow('nonsense', { ...configured, streams: ['a'] })).toBe('review');
});

test('going back is always open', () => expect(stepToShow('source', { ...configured, streams: ['a'] })).toBe('source'));

test('no stream chosen is not configured', () => expect(firstOpenStep({ ...configured, streams: [] })).toBe('configure'));
