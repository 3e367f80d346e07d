import { expect, test } from 'vitest';
import { describeDays, describeTarget } from './freshness';

test('describes a target by the day that a reader expects', () => {
  const target = { atTime: '09:00', timeZone: 'Europe/Berlin', daysAfter: 1 };
  expect(describeTarget(target)).toBe('Yesterday must be complete by 09:00, Europe/Berlin.');
  expect(describeTarget({ ...target, daysAfter: 3 })).toBe('Each day must be complete 3 days later by 09:00, Europe/Berlin.');
});

test('counts complete and late days', () => {
  const complete = { state: 'on_time', isComplete: true } as const;
  expect(describeDays([complete])).toBe('1 of 1 day complete');
  expect(describeDays([complete, { state: 'late', isComplete: false }, { state: 'waiting', isComplete: false }])).toBe(
    '1 of 3 days complete, 1 late',
  );
});
