const dayMs = 86_400_000;

/** The sandbox's current time. Moving it ages the data, so that a test sees a day settle without waiting. */
export class Clock {
  offsetDays = 0;

  now(): Date {
    return new Date(Date.now() + this.offsetDays * dayMs);
  }

  /** Days since 1970-01-01 of the current calendar date in a time zone. */
  today(timeZone: string): number {
    return toDayNumber(new Intl.DateTimeFormat('en-CA', { timeZone }).format(this.now()));
  }
}

/** 'YYYY-MM-DD' to days since 1970-01-01; NaN for an invalid date. */
export function toDayNumber(date: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return Number.NaN;
  const dayNumber = Date.parse(`${date}T00:00:00Z`) / dayMs;
  // Date.parse converts 2026-02-30 to 2 March.
  return Number.isNaN(dayNumber) || toDate(dayNumber) === date ? dayNumber : Number.NaN;
}

export function toDate(dayNumber: number): string {
  return new Date(dayNumber * dayMs).toISOString().slice(0, 10);
}

/** Milliseconds with a fraction, which preserves the order within a millisecond. Comparable between processes. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
