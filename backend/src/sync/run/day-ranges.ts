import type { Day } from '../../connectors/kit/contract.js';

/** The days of a stream and account. A set of days, or ranges for histories of years. */
export interface Days {
  has(day: Day): boolean;
}

/** Mostly one range for years of loaded days. */
export class DayRanges implements Days {
  /** @param ranges ascending, without overlaps; `end` is the day after the last one */
  constructor(readonly ranges: { start: Day; end: Day }[]) {}

  has(day: Day): boolean {
    let [low, high] = [0, this.ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ranges[middle]?.end ?? '') <= day) low = middle + 1;
      else high = middle;
    }
    const range = this.ranges[low];
    return range !== undefined && range.start <= day;
  }
}

/** Reads PostgreSQL's text of a datemultirange, such as `{[2026-01-01,2026-01-04),[2026-01-09,2026-01-10)}`. */
export const readDayRanges = (text: string | null): DayRanges =>
  new DayRanges(Array.from((text ?? '').matchAll(/\[([\d-]+),([\d-]+)\)/g), ([, start = '', end = '']) => ({ start, end })));
