import { describe, expect, it } from 'vitest';
import { isTimeZone } from './moments.js';
import { formerTimeZones, presentTimeZone } from './time-zones.js';

const MOMENTS = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'].map((text) => new Date(text));
const clocksOf = (timeZone: string): string[] =>
  MOMENTS.map((moment) => moment.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }));

describe('the present name of a time zone', () => {
  it.each([
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['asia/calcutta', 'Asia/Kolkata'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['EST5EDT', 'America/New_York'],
    ['IST', 'Asia/Kolkata'],
    ['Zulu', 'UTC'],
    ['Europe/Berlin', 'Europe/Berlin'],
    ['Etc/GMT+3', 'Etc/GMT+3'],
    ['Mars/Olympus', 'Mars/Olympus'],
    ['', ''],
  ])('of %j is %j', (name, present) => {
    expect(presentTimeZone(name)).toBe(present);
  });

  it('is never a former name itself, and has the same clock', () => {
    for (const name of formerTimeZones.filter(isTimeZone)) {
      const present = presentTimeZone(name);
      expect({ name, present: presentTimeZone(present), clocks: clocksOf(present) }).toEqual({
        name,
        present,
        clocks: clocksOf(name),
      });
    }
    for (const name of Intl.supportedValuesOf('timeZone')) expect(formerTimeZones).not.toContain(presentTimeZone(name));
  });
});
