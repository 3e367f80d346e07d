import { expect, test } from 'vitest';
import type { CatalogStream } from '~/api/types';
import { countFields, neededBecause, spareColumns, toggleColumn, toLeftOutBody } from './excluded-columns';

const column = (name: string, need: 'key' | 'proof' | null) => ({ name, need, type: 'text' as const, description: '' });
const stream = {
  name: 'campaign_daily',
  columns: [column('date', 'key'), column('clicks', 'proof'), column('status', null), column('budget', null)],
} as CatalogStream;

test('only what nothing else depends on can be left out, and what cannot says why', () => {
  expect(spareColumns(stream)).toEqual(['budget', 'status']);
  expect(stream.columns.map(neededBecause)).toEqual([
    'always, it tells rows apart',
    'always, it proves that all rows arrived',
    null,
    null,
  ]);
});

test('a column goes and comes back, and is counted', () => {
  const without = toggleColumn([], 'status');
  expect(countFields(stream, without)).toBe('3 of 4');
  expect(countFields(stream, toggleColumn(without, 'status'))).toBe('4 of 4');
});

test('what belongs to streams that are not offered, and nothing at all, is not sent', () => {
  expect(toLeftOutBody({ campaign_daily: ['status'], ad_daily: [], gone: ['x'] }, ['campaign_daily', 'ad_daily'])).toEqual([
    { stream: 'campaign_daily', columns: ['status'] },
  ]);
});
