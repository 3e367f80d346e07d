import { expect, test } from 'vitest';
import { metaEventOf } from './meta-event';

test.each([
  [null, null],
  [{ datasetId: '1', eventName: 'Lead' }, 'Lead'],
  [{ tagId: '1', eventName: 'signup' }, null],
  [{ conversionActionId: '1' }, null],
])('the event of Meta in %j is %s', (settings, eventName) => expect(metaEventOf(settings)).toBe(eventName));
