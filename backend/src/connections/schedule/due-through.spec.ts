import { describe, expect, it } from 'vitest';
import { dueThrough } from './due-through.js';
import type { Schedule } from './schedule.js';

const at = (moment: string): Date => new Date(`${moment}:00Z`);

describe('dueThrough', () => {
  it.each<[string, Schedule, string[], string, string | null]>([
    ['is yesterday hours after midnight, every hour', interval(60), ['UTC'], '2026-11-20T07:30', '2026-11-19'],
    [
      'is the day before yesterday while the run after midnight may still be active',
      interval(60),
      ['UTC'],
      '2026-11-20T06:30',
      '2026-11-18',
    ],
    [
      'follows the account with the westernmost time zone',
      interval(60),
      ['Asia/Tokyo', 'America/Los_Angeles'],
      '2026-11-20T09:00',
      '2026-11-18',
    ],
    ['waits for the daily run', daily('06:00'), ['UTC'], '2026-11-20T11:59', '2026-11-18'],
    ['is yesterday once the daily run had its time', daily('06:00'), ['UTC'], '2026-11-20T12:00', '2026-11-19'],
    ['is a week old for a weekly run', cron('0 6 * * 1'), ['UTC'], '2026-11-22T12:00', '2026-11-15'],
    ['is three days old for a manual schedule', { kind: 'manual', timeZone: 'UTC' }, ['UTC'], '2026-11-20T12:00', '2026-11-17'],
    ['is unknown without accounts', interval(60), [], '2026-11-20T12:00', null],
    ['is three days old for an invalid schedule', cron('99 99 * * *'), ['UTC'], '2026-11-20T12:00', '2026-11-17'],
    ['uses UTC for an unknown time zone', interval(60), ['Nowhere/Atlantis'], '2026-11-20T12:00', '2026-11-19'],
  ])('%s', (_what, schedule, timeZones, now, day) => {
    expect(dueThrough(schedule, timeZones, at(now))).toBe(day);
  });
});

function interval(everyMinutes: number): Schedule {
  return { kind: 'interval', everyMinutes, timeZone: 'UTC' };
}
function daily(atTime: string): Schedule {
  return { kind: 'daily', atTime, timeZone: 'UTC' };
}
function cron(expression: string): Schedule {
  return { kind: 'cron', cron: expression, timeZone: 'UTC' };
}
