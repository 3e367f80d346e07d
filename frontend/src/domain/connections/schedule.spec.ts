import { describe, expect, test } from 'vitest';
import { describeInterval, describeSchedule, nextRuns, parseTimeOfDay, scheduleZone } from './schedule';

const timeZone = 'Europe/Paris';

describe('schedule label', () => {
  test.each([
    [{ kind: 'manual', timeZone } as const, 'Manual'],
    [{ kind: 'interval', everyMinutes: 60, timeZone } as const, 'Hourly'],
    [{ kind: 'interval', everyMinutes: 360, timeZone } as const, 'Every 6 h'],
    [{ kind: 'interval', everyMinutes: 15, timeZone } as const, 'Every 15 min'],
    [{ kind: 'daily', atTime: '05:00', timeZone } as const, 'Daily 05:00'],
    [{ kind: 'cron', cron: '30 6 * * 1-5', timeZone } as const, 'Weekdays 06:30'],
    [{ kind: 'cron', cron: '0 6 * * 1', timeZone } as const, 'Mon 06:00'],
    [{ kind: 'cron', cron: '5 14 * * 7', timeZone } as const, 'Sun 14:05'],
    [{ kind: 'cron', cron: '0 6 1 * *', timeZone } as const, 'Cron 0 6 1 * *'],
    [{ kind: 'cron', cron: '0 6 * * 1,3', timeZone } as const, 'Cron 0 6 * * 1,3'],
  ])('describes %o as %s', (schedule, expected) => expect(describeSchedule(schedule)).toBe(expected));

  test('labels the intervals', () =>
    expect([15, 60, 360, 1440].map(describeInterval)).toEqual(['15 minutes', '1 hour', '6 hours', '1 day']));
});

describe('zone of a schedule', () => {
  const winter = new Date('2026-11-27T12:00:00Z');

  test.each([
    [{ kind: 'daily', atTime: '06:00', timeZone: 'UTC' } as const, 'Europe/Berlin', 'UTC'],
    [{ kind: 'cron', cron: '0 6 * * 1', timeZone: 'Europe/Paris' } as const, 'UTC', 'GMT+1'],
    [{ kind: 'interval', everyMinutes: 60, notBefore: '06:00', timeZone: 'America/New_York' } as const, 'UTC', 'EST'],
  ])('of %o for a reader in %s is %s', (schedule, reader, expected) =>
    expect(scheduleZone(schedule, reader, winter)).toBe(expected),
  );

  test.each([
    [{ kind: 'daily', atTime: '06:00', timeZone: 'Europe/London' } as const, 'UTC'],
    [{ kind: 'interval', everyMinutes: 60, timeZone: 'Europe/Paris' } as const, 'UTC'],
    [{ kind: 'manual', timeZone: 'Europe/Paris' } as const, 'UTC'],
  ])('of %o is not shown to a reader in %s', (schedule, reader) => expect(scheduleZone(schedule, reader, winter)).toBeNull());
});

test.each([
  ['24:00', null],
  ['5', null],
  ['5:3', null],
  ['5:30', '05:30'],
  ['23:59', '23:59'],
])('parses the time of day %j as %j', (text, expected) => expect(parseTimeOfDay(text)).toBe(expected));

describe('next runs', () => {
  const now = new Date('2026-11-20T09:12:00Z');
  const times = (runs: Date[]) => runs.map((run) => run.toISOString().slice(0, 16));

  test('returns none for a manual schedule', () => expect(nextRuns({ kind: 'manual', timeZone }, now)).toEqual([]));
  test('counts an interval from now', () =>
    expect(times(nextRuns({ kind: 'interval', everyMinutes: 60, timeZone }, now, { count: 2 }))).toEqual([
      '2026-11-20T10:12',
      '2026-11-20T11:12',
    ]));
  test('continues from the known next run of a saved connection', () =>
    expect(
      times(nextRuns({ kind: 'interval', everyMinutes: 60, timeZone }, now, { count: 2, nextRunAt: '2026-11-20T09:38:00Z' })),
    ).toEqual(['2026-11-20T09:38', '2026-11-20T10:38']));
  test('uses the time zone of a daily schedule', () =>
    expect(times(nextRuns({ kind: 'daily', atTime: '05:00', timeZone }, now, { count: 2 }))).toEqual([
      '2026-11-21T04:00',
      '2026-11-22T04:00',
    ]));
  test('runs today when the time of day has not passed', () =>
    expect(times(nextRuns({ kind: 'daily', atTime: '23:30', timeZone }, now, { count: 1 }))).toEqual(['2026-11-20T22:30']));
});
