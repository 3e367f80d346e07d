import { expect, test } from 'vitest';
import { EventStreamParser, reconnectDelayMs } from './server-sent-events';

test('joins an event that is split inside a line', () => {
  const parser = new EventStreamParser();
  expect(parser.push('event: run\nda')).toEqual([]);
  expect(parser.push('ta: {"a":1}\n')).toEqual([]);
  expect(parser.push('\n')).toEqual([{ event: 'run', data: '{"a":1}' }]);
});

test('ignores keep-alive comments', () => {
  expect(new EventStreamParser().push(': keep-alive\n\n: keep-alive\n\n')).toEqual([]);
});

test('drops an event without data and does not reuse its name', () => {
  expect(new EventStreamParser().push('event: run\n\ndata: x\n\n')).toEqual([{ event: 'message', data: 'x' }]);
});

test('joins several data lines', () => {
  expect(new EventStreamParser().push('data: a\r\ndata: b\r\n\r\n')).toEqual([{ event: 'message', data: 'a\nb' }]);
});

test('treats a carriage return and a line feed in two chunks as one line end', () => {
  const parser = new EventStreamParser();
  expect(parser.push('data: a\r')).toEqual([]);
  expect(parser.push('\n\r\n')).toEqual([{ event: 'message', data: 'a' }]);
});

test('reconnects after 1 s, then 1.5 times longer each time, at most 60 s', () => {
  expect([0, 1, 2, 20].map(reconnectDelayMs)).toEqual([1000, 1500, 2250, 60000]);
});
