import { expect, test } from 'vitest';
import { shownRange } from './coverage-range';

test('a year is shown in full for a few hundred accounts', () => {
  expect(shownRange('1y', 1)).toMatchObject({ days: 364, limit: null });
  expect(shownRange('1y', 274)).toMatchObject({ days: 364, limit: null });
});

test('with more accounts, fewer days are shown, in whole cells, and the page says so', () => {
  expect(shownRange('1y', 275)).toMatchObject({
    days: 357,
    limit: 'The newest 357 days are shown: the connection has 275 accounts.',
  });
  expect(shownRange('3m', 2_000)).toMatchObject({ days: 49, daysPerCell: 7 });
  expect(shownRange('6w', 5_000)).toMatchObject({ days: 20, daysPerCell: 1 });
});

test('an unknown range is that of six weeks', () =>
  expect(shownRange(null, 1)).toMatchObject({ value: '6w', days: 42, limit: null }));
