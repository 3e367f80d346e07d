import { expect, test } from 'vitest';
import type { LogLine } from '~/api/types';
import { continuousPage, inOrder } from './run-log-lines';

const line = (position: number, level: LogLine['level'] = 'info'): LogLine => ({
  position: String(position),
  at: '2026-11-20T06:00:00.000Z',
  level,
  message: `Line ${position}`,
});
const positions = (lines: LogLine[]) => lines.map(({ position }) => Number(position));

test('older lines continue before the oldest line that is no earlier warning or error', () => {
  const log = [line(2, 'warn'), line(5, 'error'), line(9), line(10, 'warn'), line(11)];
  const page = continuousPage({ log, olderLogCursor: 'before 9' });
  expect(positions(page.items)).toEqual([11, 10, 9]);
  expect(page.nextCursor).toBe('before 9');
});

test('a log of warnings only continues before its end, because other lines may be between them', () =>
  expect(continuousPage({ log: [line(2, 'warn'), line(5, 'error')], olderLogCursor: 'end' })).toEqual({
    items: [],
    nextCursor: 'end',
  }));

test('a short log is complete', () => {
  const page = continuousPage({ log: [line(1, 'warn'), line(2)], olderLogCursor: null });
  expect(positions(page.items)).toEqual([2, 1]);
  expect(page.nextCursor).toBeNull();
});

test('older lines are sorted between the earlier warnings, each once', () =>
  expect(positions(inOrder([line(2, 'warn'), line(100), line(101), line(99), line(3), line(2, 'warn'), line(1)]))).toEqual([
    1, 2, 3, 99, 100, 101,
  ]));
