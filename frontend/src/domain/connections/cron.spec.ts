import { expect, test } from 'vitest';
import { cronError, nextCronRuns } from './cron';

test.each([
  ['30 6 * * 1-5', null],
  ['*/15 * * * *', null],
  ['*/25 * * * *', 'Leave at least 15 minutes between runs'],
  ['0 0 30 2 *', 'This date does not exist. Change the day or the month'],
  ['hourly', 'Enter five fields: minute, hour, day, month, weekday'],
  ['61 * * * *', 'Enter a valid cron expression'],
])('%s: %s', (cron, error) => expect(cronError(cron)).toBe(error));

test('computes the next runs in the time zone', () =>
  expect(nextCronRuns('30 6 * * 1-5', 'Europe/Paris', new Date('2026-11-20T09:00:00Z'), 1)).toEqual([
    new Date('2026-11-23T05:30:00Z'),
  ]));
