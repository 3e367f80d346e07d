import { expect, test } from 'vitest';
import type { CatalogStream } from '~/api/types';
import { countFields, requiredReason, optionalColumns, toggleColumn, toLeftOutBody } from './excluded-columns';

const column = (name: string, need: 'key' | 'proof' | null) => ({
  name,
  need,
  canHash: need === null,
  type: 'text' as const,
  description: '',
});
const stream = {
  name: 'campaign_daily',
  columns: [column('date', 'key'), column('clicks', 'proof'), column('status', null), column('budget', null)],
} as CatalogStream;

test('allows excluding optional columns and gives a reason for required ones', () => {
  expect(optionalColumns(stream)).toEqual(['budget', 'status']);
  expect(stream.columns.map(requiredReason)).toEqual(['Required: primary key', 'Required: verification', null, null]);
});

test('excludes and includes a column and counts the columns', () => {
  const without = toggleColumn([], 'status');
  expect(countFields(stream, without)).toBe('3 of 4');
  expect(countFields(stream, toggleColumn(without, 'status'))).toBe('4 of 4');
});

test('omits streams that are not offered or have no excluded columns', () => {
  expect(toLeftOutBody({ campaign_daily: ['status'], ad_daily: [], gone: ['x'] }, ['campaign_daily', 'ad_daily'])).toEqual([
    { stream: 'campaign_daily', columns: ['status'] },
  ]);
});
