import { expect, it } from 'vitest';
import { pick, randomOf } from '../../../test/user-actions.js';
import { addDays } from '../../connectors/kit/days.js';
import { dueThrough } from './due-through.js';
import { lateAt } from './late-at.js';
import type { Schedule } from './schedule.js';

const SEED = Number(process.env['SEED'] ?? 16);
const CASES = 400;
const HOUR_MS = 3_600_000;
/** Around changes of clocks too. */
const DAYS = ['2026-03-28', '2026-03-29', '2026-04-04', '2026-06-15', '2026-10-24', '2026-10-31', '2026-12-30'];
/** Beirut and Santiago change their clocks at midnight. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Pacific/Auckland',
  'Asia/Beirut',
  'America/Santiago',
  'Nowhere/Atlantis',
];
const SCHEDULES: Schedule[] = [
  { kind: 'manual', timeZone: 'UTC' },
  { kind: 'interval', everyMinutes: 15, timeZone: 'UTC' },
  { kind: 'interval', everyMinutes: 1_440, timeZone: 'Europe/Berlin', notBefore: '08:00' },
  { kind: 'interval', everyMinutes: 60, timeZone: 'America/Los_Angeles', notBefore: '22:30' },
  { kind: 'daily', atTime: '00:00', timeZone: 'Asia/Beirut' },
  { kind: 'daily', atTime: '02:30', timeZone: 'Europe/Berlin' },
  { kind: 'cron', cron: '15 6 * * 1-5', timeZone: 'UTC' },
  { kind: 'cron', cron: '0 */3 * * *', timeZone: 'Pacific/Auckland', notBefore: '07:00' },
  { kind: 'cron', cron: '0 6 1 * *', timeZone: 'UTC' },
  { kind: 'cron', cron: '99 99 * * *', timeZone: 'UTC' },
];

it(`is never after the first moment at which data are late, and at it unless it is days ahead (seed ${SEED})`, () => {
  const random = randomOf(SEED);
  for (let n = 0; n < CASES; n++) {
    const [schedule, day] = [pick(random, SCHEDULES), pick(random, DAYS)];
    const timeZones = [pick(random, ZONES), pick(random, ZONES)];
    const now = new Date(Date.parse(`${day}T00:00:00Z`) + Math.floor(random() * 24 * HOUR_MS));
    const newest = addDays(day, -Math.floor(random() * 4));
    const what = JSON.stringify({ schedule, timeZones, newest, now });
    const isLate = (at: Date): boolean => (dueThrough(schedule, timeZones, at) ?? '') > newest;
    const moment = lateAt(schedule, timeZones, newest, now);
    if (!moment) throw new Error(what);
    if (isLate(now)) expect(moment, what).toEqual(now);
    else {
      expect(moment > now, what).toBe(true);
      expect(isLate(new Date(moment.getTime() - 1_000)), what).toBe(false);
      if (moment.getTime() - now.getTime() < 3 * 24 * HOUR_MS) expect(isLate(moment), what).toBe(true);
    }
  }
});

it('is unknown without accounts', () => {
  expect(lateAt({ kind: 'manual', timeZone: 'UTC' }, [], '2026-11-20', new Date('2026-11-20T12:00:00Z'))).toBeNull();
});
