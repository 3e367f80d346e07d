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
  return Array.from({ length: Math.max(0, countDays(from, to)) }, (_, index) => addDays(from, index));
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
  const quarter = Math.floor(moment.getTime() / QUARTER_MS);
  let zone = zones.get(timeZone);
  if (!zone) {
    // The Swedish locale writes dates as YYYY-MM-DD.
    const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    zone = { formatter, quarter, day: formatter.format(moment) };
    zones.set(timeZone, zone);
  } else if (zone.quarter !== quarter) {
    zone.quarter = quarter;
    zone.day = zone.formatter.format(moment);
  }
  return zone.day;
}

/** Days begin at a quarter of an hour of UTC: since 2012, all offsets and changes of clocks are at multiples of it. */
const QUARTER_MS = 900_000;

interface Zone {
  formatter: Intl.DateTimeFormat;
  /** The last quarter of an hour that was asked for, and its day. A list asks for the present day of each row. */
  quarter: number;
  day: Day;
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
