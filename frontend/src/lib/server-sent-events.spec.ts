import { expect, test } from 'vitest';
import { EventStreamParser, reconnectDelayMs } from './server-sent-events';

test('an event broken inside a line is put together', () => {
  const parser = new EventStreamParser();
  expect(parser.push('event: run\nda')).toEqual([]);
  expect(parser.push('ta: {"a":1}\n')).toEqual([]);
  expect(parser.push('\n')).toEqual([{ event: 'run', data: '{"a":1}' }]);
});

test('keep-alive comments are no events', () => {
  expect(new EventStreamParser().push(': keep-alive\n\n: keep-alive\n\n')).toEqual([]);
});

test('an event without data is dropped, and its name does not leak into the next', () => {
  expect(new EventStreamParser().push('event: run\n\ndata: x\n\n')).toEqual([{ event: 'message', data: 'x' }]);
});

test('several lines of data become one text', () => {
  expect(new EventStreamParser().push('data: a\r\ndata: b\r\n\r\n')).toEqual([{ event: 'message', data: 'a\nb' }]);
});

test('a carriage return at the end of a piece does not end two lines', () => {
  const parser = new EventStreamParser();
  expect(parser.push('data: a\r')).toEqual([]);
  expect(parser.push('\n\r\n')).toEqual([{ event: 'message', data: 'a' }]);
});

test('reconnecting starts at a second, slows by half each time and never waits more than a minute', () => {
  expect([0, 1, 2, 20].map(reconnectDelayMs)).toEqual([1000, 1500, 2250, 60000]);
});
