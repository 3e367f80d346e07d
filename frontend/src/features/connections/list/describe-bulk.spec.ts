import { expect, test } from 'vitest';
import { describeBulk } from './describe-bulk';

const failures = ['Brand', 'Search', 'Video', 'Shopping', 'Audience'].map((name) => ({
  connection: { name },
  error: new Error('The source was deleted'),
}));

test.each([
  [0, '20 runs started'],
  [1, '20 runs started, 1 failed. Brand: The source was deleted'],
  [2, '20 runs started, 2 failed. Brand: The source was deleted; Search: The source was deleted'],
  [
    5,
    '20 runs started, 5 failed. Brand: The source was deleted; Search: The source was deleted; Video: The source was deleted; 2 more',
  ],
])('a summary names the connections of %i failures with their reasons', (count, summary) =>
  expect(describeBulk('20 runs started', failures.slice(0, count))).toBe(summary),
);
