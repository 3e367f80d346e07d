import { describe, expect, it } from 'vitest';
import { addDays, countDays, dayInTimeZone, listDays } from '../../connectors/kit/days.js';
import { dueThrough } from './due-through.js';
import { nextRunAt, previousRunAt, type Schedule } from './schedule.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Zones east and west of UTC. In Santiago, Havana and Cairo, clocks change at midnight, so that a day has no 00:30. */
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/Los_Angeles', 'America/Santiago', 'America/Havana', 'Africa/Cairo'],
  ...['Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Pacific/Chatham'],
];
/** Times that a change of clocks skips or repeats in one of the zones, and noon. */
const TIMES = ['00:00', '00:30', '01:30', '02:00', '02:30', '03:00', '12:00', '23:30'];
/** Both changes of 2026 and 2027, and the leap day of 2028. */
const [FIRST, LAST] = ['2026-01-01', '2028-04-01'];

const daily = (atTime: string, timeZone: string): Schedule => ({ kind: 'daily', atTime, timeZone });
const cron = (atTime: string, timeZone: string): Schedule => {
  const [hour, minute] = atTime.split(':').map(Number);
  return { kind: 'cron', cron: `${minute} ${hour} * * *`, timeZone };
};

/** The local days on which a schedule starts runs, like the scheduler, which computes the next run up to a minute after the last. */
function daysOfRuns(schedule: Schedule, from: string, to: string): string[] {
  const days: string[] = [];
  let after = new Date(`${from}T00:00:00Z`);
  for (let runs = 0; runs < 3 * countDays(from, to); runs++) {
    const next = nextRunAt(schedule, after);
    if (!next || next <= after) throw new Error(`no run after ${after.toISOString()}: ${next?.toISOString()}`);
    const day = dayInTimeZone(next, schedule.timeZone);
    if (day > to) return days;
    days.push(day);
    after = new Date(next.getTime() + (runs % 2) * MINUTE_MS);
  }
  throw new Error('more runs than days');
}

describe.each(ZONES)('in %s', (timeZone) => {
  it.each(TIMES)('a run daily at %s starts once on every day', (atTime) => {
    const from = addDays(FIRST, 2);
    const days = daysOfRuns(daily(atTime, timeZone), from, LAST);
    expect(days).toEqual(listDays(days[0] ?? from, LAST));
  });

  it.each(TIMES)('a cron run at %s starts at least once on every day', (atTime) => {
    const days = daysOfRuns(cron(atTime, timeZone), addDays(FIRST, 2), LAST);
    expect([...new Set(days)]).toEqual(listDays(days[0] ?? FIRST, LAST));
  });

  it('the last run of a daily schedule is the latest one that has started', () => {
    for (const atTime of ['00:30', '02:30'])
      for (let moment = Date.parse(FIRST); moment < Date.parse(LAST); moment += 5 * HOUR_MS) {
        const schedule = daily(atTime, timeZone);
        const previous = previousRunAt(schedule, new Date(moment));
        const next = nextRunAt(schedule, previous ?? new Date(moment));
        expect(previous?.getTime()).toBeLessThanOrEqual(moment);
        expect(next?.getTime()).toBeGreaterThan(moment);
      }
  });

  it('the day by which data are due never moves back and skips no day', () => {
    for (const schedule of [daily('06:00', timeZone), daily('00:30', timeZone), hourly(timeZone)]) {
      let last = '';
      for (let moment = Date.parse(FIRST); moment < Date.parse(LAST); moment += HOUR_MS) {
        const due = dueThrough(schedule, [timeZone], new Date(moment)) ?? '';
        if (last && due !== last) expect([new Date(moment), due]).toEqual([new Date(moment), addDays(last, 1)]);
        last = due;
      }
    }
  });

  it('midnight by midnight, the calendar has every day once', () => {
    const days = new Set<string>();
    for (let moment = Date.parse(`${FIRST}T12:00:00Z`); moment < Date.parse(LAST); moment += HOUR_MS)
      days.add(dayInTimeZone(new Date(moment), timeZone));
    expect([...days]).toEqual(listDays([...days][0] ?? FIRST, [...days].at(-1) ?? LAST));
  });
});

it('a time that the change skips is shifted by the change, and of a repeated time the first one counts', () => {
  const next = (atTime: string, timeZone: string, after: string) => nextRunAt(daily(atTime, timeZone), new Date(after));
  expect(next('02:30', 'Europe/Berlin', '2026-03-29T00:00:00Z')).toEqual(new Date('2026-03-29T01:30:00Z'));
  expect(next('00:30', 'America/Santiago', '2026-09-06T03:00:00Z')).toEqual(new Date('2026-09-06T04:30:00Z'));
  expect(next('02:30', 'Europe/Berlin', '2026-10-25T00:00:00Z')).toEqual(new Date('2026-10-25T00:30:00Z'));
  expect(next('01:30', 'America/New_York', '2026-11-01T05:00:00Z')).toEqual(new Date('2026-11-01T05:30:00Z'));
});

function hourly(timeZone: string): Schedule {
  return { kind: 'interval', everyMinutes: 60, timeZone };
}
