const dayMs = 86_400_000;

/** The sandbox's idea of now. Moving it ages the data, so that a test sees a day settle without waiting. */
export class Clock {
  offsetDays = 0;

  now(): Date {
    return new Date(Date.now() + this.offsetDays * dayMs);
  }

  /** Days since 1970-01-01 of the calendar date that it is now in a time zone. */
  today(timeZone: string): number {
    return toDayNumber(new Intl.DateTimeFormat('en-CA', { timeZone }).format(this.now()));
  }
}

/** 'YYYY-MM-DD' to days since 1970-01-01; NaN when it is no date. */
export function toDayNumber(date: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return Number.NaN;
  const dayNumber = Date.parse(`${date}T00:00:00Z`) / dayMs;
  // Date.parse turns 2026-02-30 into 2 March.
  return Number.isNaN(dayNumber) || toDate(dayNumber) === date ? dayNumber : Number.NaN;
}

export function toDate(dayNumber: number): string {
  return new Date(dayNumber * dayMs).toISOString().slice(0, 10);
}

/** Milliseconds with a fraction, so that two moments within one millisecond keep their order; comparable between processes. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
