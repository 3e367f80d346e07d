import { expect, test } from 'vitest';
import { entriesFor } from './navigation';

const namesOf = (plan: { isBilled: boolean; isOpen: boolean }, isLocked: boolean) =>
  entriesFor(plan)
    .flat()
    .filter((entry) => entry.isLocked === isLocked)
    .map(({ label }) => label);

test('without billing there is no plan to look at, and nothing is locked', () => {
  expect(namesOf({ isBilled: false, isOpen: true }, false)).not.toContain('Subscription');
  expect(namesOf({ isBilled: false, isOpen: true }, true)).toEqual([]);
});

test('without a plan only settings and the subscription are open', () =>
  expect(namesOf({ isBilled: true, isOpen: false }, false)).toEqual(['Settings', 'Subscription']));

test('with one everything is', () => expect(namesOf({ isBilled: true, isOpen: true }, true)).toEqual([]));
