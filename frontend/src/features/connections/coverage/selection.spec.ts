import { describe, expect, test } from 'vitest';
import { choose } from './selection';

const day = (date: string, accountId = 'de') => ({ accountId, from: date, to: date });

describe('the selection of days', () => {
  const first = choose(null, day('2026-11-10'), false);
  test('begins with one cell', () => expect(first.chosen).toEqual(day('2026-11-10')));
  test('extends in both directions from where it began, and becomes shorter again', () => {
    const later = choose(first, day('2026-11-14'), true);
    expect(later.chosen).toMatchObject({ from: '2026-11-10', to: '2026-11-14' });
    expect(choose(later, day('2026-11-12'), true).chosen).toMatchObject({ from: '2026-11-10', to: '2026-11-12' });
    expect(choose(later, day('2026-11-08'), true).chosen).toMatchObject({ from: '2026-11-08', to: '2026-11-10' });
  });
  test('begins again without Shift, or with another account', () => {
    expect(choose(first, day('2026-11-14'), false).chosen).toEqual(day('2026-11-14'));
    expect(choose(first, day('2026-11-14', 'us'), true).chosen).toEqual(day('2026-11-14', 'us'));
  });
});
