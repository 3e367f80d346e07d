import { describe, expect, it } from 'vitest';
import type { Column, Stream } from '../../../src/connectors/kit/contract.js';
import { needOf, projectLines, withoutColumns } from '../../../src/connectors/kit/rows/excluded-columns.js';

const column = (name: string): Column => ({ name, type: 'text', description: name });
const stream: Stream = {
  name: 'campaign_daily',
  title: 'Campaigns',
  description: 'One row per campaign and day.',
  table: 'campaign_daily',
  columns: ['account_id', 'date', 'campaign_id', 'campaign_name', 'cost_micros', 'currency', 'conversions'].map(column),
  key: ['account_id', 'date', 'campaign_id'],
  level: 'campaign',
  breakdowns: [],
  metrics: { costMicros: 'cost_micros', clicks: null, impressions: null },
  verification: 'control_totals',
  lookbackReason: '',
};
const names = ({ columns }: Stream): string[] => columns.map(({ name }) => name);

describe('a stream with excluded columns', () => {
  it('keeps key, verification and currency columns even if they are excluded', () => {
    expect(names(withoutColumns(stream, names(stream)))).toEqual([
      'account_id',
      'date',
      'campaign_id',
      'cost_micros',
      'currency',
    ]);
    expect(names(stream).map((name) => needOf(stream, name))).toEqual(['key', 'key', 'key', null, 'proof', 'money', null]);
  });

  it('is the same object if nothing is excluded', () => {
    expect(withoutColumns(stream, ['nonsense'])).toBe(stream);
  });
});

describe('lines with removed cells', () => {
  it.each([
    ['the first', [false, true, true], 'b\tc\n'],
    ['the last', [true, true, false], 'a\tb\n'],
    ['all but one', [false, true, false], 'b\n'],
  ])('remove %s', (_which, isKept, expected) => {
    expect(projectLines(Buffer.from('a\tb\tc\n'), isKept).toString()).toBe(expected);
  });

  it('keep empty cells, escapes and multi-byte characters unchanged', () => {
    const lines = Buffer.from('1\t\tä\\tö\t\\N\n2\tx\t\ty\n');
    expect(projectLines(lines, [true, true, true, false]).toString()).toBe('1\t\tä\\tö\n2\tx\t\n');
    expect(projectLines(lines, [true, false, true, true]).toString()).toBe('1\tä\\tö\t\\N\n2\t\ty\n');
    expect(projectLines(Buffer.alloc(0), [true])).toHaveLength(0);
  });
});
