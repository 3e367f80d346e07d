import { expect, test } from 'vitest';
import { inKnownOrder } from './stable-order';

const items = (...ids: string[]) => ids.map((id) => ({ id }));

test('keeps known rows in place, and adds new ones at the end', () => {
  expect(inKnownOrder(items('c', 'new', 'a', 'b'), ['a', 'b', 'c'])).toEqual(items('a', 'b', 'c', 'new'));
});

test('leaves out rows that are gone', () => expect(inKnownOrder(items('b'), ['a', 'b'])).toEqual(items('b')));
