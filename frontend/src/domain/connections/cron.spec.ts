import { expect, test } from 'vitest';
import { cronError, nextCronRuns } from './cron';

test.each([
  ['30 6 * * 1-5', null],
  ['*/15 * * * *', null],
  ['*/25 * * * *', 'Runs need 15 minutes between them'],
  ['0 0 30 2 *', 'That day never comes'],
  ['hourly', 'Five fields: minute, hour, day, month, weekday'],
  ['61 * * * *', 'Not a cron expression'],
])('%s: %s', (cron, error) => expect(cronError(cron)).toBe(error));

test('the coming runs follow the clock of the zone', () =>
  expect(nextCronRuns('30 6 * * 1-5', 'Europe/Paris', new Date('2026-11-20T09:00:00Z'), 1)).toEqual([
    new Date('2026-11-23T05:30:00Z'),
  ]));
