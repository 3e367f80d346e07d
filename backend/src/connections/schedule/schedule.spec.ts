import { describe, expect, it } from 'vitest';
import { cronProblem } from './cron.js';
import { isTimeZone } from '../../connectors/kit/moments.js';
import { nextRunAt, previousRunAt, runsPerMonth, type Schedule } from './schedule.js';

const at = (text: string): Date => new Date(text);

describe('the next run', () => {
  it('is null for a manual schedule', () => {
    expect(nextRunAt({ kind: 'manual', timeZone: 'UTC' }, at('2026-11-20T10:00:00Z'))).toBeNull();
  });

  it('is one interval later', () => {
    expect(nextRunAt({ kind: 'interval', everyMinutes: 90, timeZone: 'UTC' }, at('2026-11-20T10:00:00Z'))).toEqual(
      at('2026-11-20T11:30:00Z'),
    );
  });

  it.each([
    ['later today', 'Europe/Berlin', '06:00', '2026-11-20T04:00:00Z', '2026-11-20T05:00:00Z'],
    ['tomorrow when the time has passed', 'Europe/Berlin', '06:00', '2026-11-20T05:00:00Z', '2026-11-21T05:00:00Z'],
    ['by local time in a zone with another date', 'Asia/Tokyo', '08:30', '2026-11-19T23:29:00Z', '2026-11-19T23:30:00Z'],
    ['an hour earlier in UTC once summer time begins', 'Europe/Berlin', '06:00', '2026-03-28T05:30:00Z', '2026-03-29T04:00:00Z'],
    ['an hour later in UTC once it ends', 'America/New_York', '06:00', '2026-10-31T10:30:00Z', '2026-11-01T11:00:00Z'],
    ['after the gap for a time that the change skips', 'Europe/Berlin', '02:30', '2026-03-29T00:00:00Z', '2026-03-29T01:30:00Z'],
  ])('is %s', (_what, timeZone, atTime, after, expected) => {
    expect(nextRunAt({ kind: 'daily', atTime, timeZone }, at(after))).toEqual(at(expected));
  });

  it('is always in the future', () => {
    for (let hour = 0; hour < 24 * 370; hour += 7) {
      const after = new Date(at('2026-01-01T00:00:00Z').getTime() + hour * 3_600_000);
      const next = nextRunAt({ kind: 'daily', atTime: '02:30', timeZone: 'America/Sao_Paulo' }, after) ?? after;
      const waitHours = (next.getTime() - after.getTime()) / 3_600_000;
      expect(waitHours).toBeGreaterThan(0);
      expect(waitHours).toBeLessThanOrEqual(25);
    }
  });
});

describe('a schedule with an earliest time of day', () => {
  const hourly: Schedule = { kind: 'interval', everyMinutes: 60, timeZone: 'Europe/Berlin', notBefore: '06:00' };
  const nightly: Schedule = { kind: 'cron', cron: '0 2,3,8 * * *', timeZone: 'Europe/Berlin', notBefore: '06:00' };

  it.each([
    ['waits for it after midnight', hourly, '2026-11-19T22:30:00Z', '2026-11-20T05:00:00Z'],
    ['waits for it just before', hourly, '2026-11-20T03:30:00Z', '2026-11-20T05:00:00Z'],
    ['continues as usual afterwards', hourly, '2026-11-20T05:00:00Z', '2026-11-20T06:00:00Z'],
    ['runs once for all earlier times of a cron expression', nightly, '2026-11-20T00:30:00Z', '2026-11-20T05:00:00Z'],
    ['runs at later times of a cron expression', nightly, '2026-11-20T05:00:00Z', '2026-11-20T07:00:00Z'],
    ['follows the local time when summer time begins', hourly, '2026-03-29T00:30:00Z', '2026-03-29T04:00:00Z'],
    ['follows the local time when summer time ends', hourly, '2026-10-25T00:30:00Z', '2026-10-25T05:00:00Z'],
  ])('%s', (_what, schedule, after, expected) => {
    expect(nextRunAt(schedule, at(after))).toEqual(at(expected));
  });

  it.each([
    ['that time, just after it', hourly, '2026-11-20T05:30:00Z', '2026-11-20T05:00:00Z'],
    ['an interval ago, later', hourly, '2026-11-20T09:30:00Z', '2026-11-20T08:30:00Z'],
    ['of the evening before, earlier', hourly, '2026-11-20T02:00:00Z', '2026-11-19T21:59:59.999Z'],
    ['of the day before for a cron expression', nightly, '2026-11-20T02:30:00Z', '2026-11-19T07:00:00Z'],
    ['that time for a cron expression', nightly, '2026-11-20T05:30:00Z', '2026-11-20T05:00:00Z'],
  ])('last started %s', (_what, schedule, before, expected) => {
    expect(previousRunAt(schedule, at(before))).toEqual(at(expected));
  });

  it('has fewer runs in a month', () => {
    expect(runsPerMonth(hourly)).toBe(30 * 18);
  });
});

it('counts the runs of a month', () => {
  expect(runsPerMonth({ kind: 'manual', timeZone: 'UTC' })).toBe(0);
  expect(runsPerMonth({ kind: 'daily', atTime: '06:00', timeZone: 'UTC' })).toBe(30);
  expect(runsPerMonth({ kind: 'interval', everyMinutes: 60, timeZone: 'UTC' })).toBe(720);
});

it('accepts only valid time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false]);
});

describe('a cron schedule', () => {
  const cron = { kind: 'cron', cron: '30 6 * * 1-5', timeZone: 'Europe/Berlin' } as const;

  it.each([
    ['on working days, by local time', '2026-11-20T06:00:00Z', '2026-11-23T05:30:00Z'],
    ['strictly after a run', '2026-11-23T05:30:00Z', '2026-11-24T05:30:00Z'],
    ['an hour earlier in UTC once summer time has begun', '2026-03-27T12:00:00Z', '2026-03-30T04:30:00Z'],
  ])('runs %s', (_what, after, expected) => expect(nextRunAt(cron, at(after))).toEqual(at(expected)));

  it('counts the runs of a month', () => {
    const now = at('2026-11-01T00:00:00Z');
    expect(runsPerMonth({ ...cron, cron: '*/15 * * * *' }, now)).toBe(2_880);
    expect(runsPerMonth(cron, now)).toBe(21);
    expect(runsPerMonth({ ...cron, cron: '0 0 1 1 *' }, now)).toBe(0);
  });

  it.each([
    ['* * * * *', 'at least 15 minutes'],
    ['*/25 * * * *', 'at least 15 minutes'],
    ['0,59 0,23 1,15,16 * *', 'at least 15 minutes'],
    ['0 0 30 2 *', 'does not exist'],
    ['* * * * * *', 'minute, hour'],
    ['@daily', 'minute, hour'],
    ['61 * * * *', 'not a cron expression'],
    ['a b c d e', 'not a cron expression'],
  ])('rejects %s', (expression, reason) => expect(cronProblem(expression)).toContain(reason));

  it.each(['*/15 * * * *', '0 5 * * MON-FRI', '0 0 29 2 *', '0 0 L * *'])('accepts %s', (expression) =>
    expect(cronProblem(expression)).toBeNull(),
  );
});
