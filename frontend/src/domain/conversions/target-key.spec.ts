import { expect, test } from 'vitest';
import { sameTarget } from './target-key';

test.each([
  ['another event name', { datasetId: '1', eventName: 'Purchase' }, { datasetId: '1', eventName: 'Lead' }, true],
  ['another API', { conversionActionId: '1' }, { conversionActionId: '1', api: 'google_ads_upload' }, true],
  [
    'another goal of Microsoft, whose event is part of it',
    { tagId: '1', eventName: 'signup' },
    { tagId: '1', eventName: 'order' },
    false,
  ],
  ['another dataset', { datasetId: '1', eventName: 'Lead' }, { datasetId: '2', eventName: 'Lead' }, false],
])('with %s, the target is the same or not', (_what, settings, other, expected) =>
  expect(sameTarget({ settings }, { settings: other })).toBe(expected),
);
