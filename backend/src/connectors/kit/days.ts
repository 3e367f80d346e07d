import type { Day } from './contract.js';

const MILLISECONDS_PER_DAY = 86_400_000;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

export function isDay(text: string): boolean {
  return dayPattern.test(text) && !Number.isNaN(Date.parse(text)) && toDay(Date.parse(text)) === text;
}

export function addDays(day: Day, days: number): Day {
  return toDay(Date.parse(day) + days * MILLISECONDS_PER_DAY);
}

/** Number of days in the range, including both ends. */
export function countDays(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / MILLISECONDS_PER_DAY) + 1;
}

export function listDays(from: Day, to: Day): Day[] {
  const first = Date.parse(from);
  return Array.from({ length: Math.max(0, countDays(from, to)) }, (_, index) => toDay(first + index * MILLISECONDS_PER_DAY));
}

/** Ranges of at most `chunkDays` that cover from..to without overlap, oldest first. */
export function chunkDays(from: Day, to: Day, chunkDays: number): { from: Day; to: Day }[] {
  const chunks: { from: Day; to: Day }[] = [];
  for (let start = from; start <= to; start = addDays(start, chunkDays)) {
    const end = addDays(start, chunkDays - 1);
    chunks.push({ from: start, to: end < to ? end : to });
  }
  return chunks;
}

/** The calendar day in `timeZone` at `moment`. East of UTC it may already be tomorrow. */
export function dayInTimeZone(moment: Date, timeZone: string): Day {
  const zone = zones.get(timeZone) ?? newZone(timeZone);
  const quarter = Math.floor(moment.getTime() / QUARTER_MS);
  let day = zone.days.get(quarter);
  if (day === undefined) {
    day = zone.formatter.format(moment);
    if (zone.days.size >= MAX_QUARTERS) zone.days.clear();
    zone.days.set(quarter, day);
  }
  return day;
}

function newZone(timeZone: string): Zone {
  // The Swedish locale writes dates as YYYY-MM-DD.
  const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const zone = { formatter, days: new Map<number, Day>() };
  zones.set(timeZone, zone);
  return zone;
}

/** Days begin at a quarter of an hour of UTC: since 2012, all offsets and changes of clocks are at multiples of it. */
const QUARTER_MS = 900_000;
/** A list asks for the same few moments in each row: now, and the last start of each schedule. */
const MAX_QUARTERS = 100;

interface Zone {
  formatter: Intl.DateTimeFormat;
  /** The day of each quarter of an hour that was asked for. */
  days: Map<number, Day>;
}

/** Cached because creating a formatter takes a millisecond and memory outside the heap. There are about 600 time zones. */
const zones = new Map<string, Zone>();

function toDay(milliseconds: number): Day {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/**
 * The first day for which a platform has data if it stores this many months. One day later than exact, because time zones differ.
 */
export function monthsBefore(now: Date, months: number): Day {
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, now.getUTCDate() + 1));
  return day.toISOString().slice(0, 10);
}
