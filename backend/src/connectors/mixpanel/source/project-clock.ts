import type { Day } from '../../kit/contract.js';
import { dayInTimeZone } from '../../kit/days.js';

const DAY_MS = 86_400_000;
/** Zones change their offset at a quarter of an hour. */
const OFFSET_STEP_MS = 15 * 60_000;
/** Offsets of two years. */
const KEPT_OFFSETS = 70_000;

/**
 * Days and times of a project's raw export. Projects created since 2023 use UTC. Older ones use days of their zone, and return its
 * local time as if it were UTC (docs/export-methods of mixpanel/docs, `ba22906`).
 */
export class ProjectClock {
  private readonly timeZone: string;
  private readonly format: Intl.DateTimeFormat | null;
  private readonly offsets = new Map<number, number>();

  /** `timeZone`: null for UTC. */
  constructor(timeZone: string | null) {
    this.timeZone = timeZone ?? 'UTC';
    // The Swedish locale writes 2026-03-10 23:30:00.
    this.format =
      timeZone === null ? null : new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  }

  dayOf(moment: Date): Day {
    return dayInTimeZone(moment, this.timeZone);
  }

  /**
   * The time of an exported event in UTC. In the hour that occurs twice when summer time ends, this is the first one: the export does
   * not show which it was.
   */
  toUtc(stored: number): number {
    if (!this.format) return stored;
    const offsets = [this.offsetAt(stored - DAY_MS), this.offsetAt(stored + DAY_MS)];
    const possible = offsets.map((offset) => stored - offset).filter((time) => time + this.offsetAt(time) === stored);
    return possible.length > 0 ? Math.min(...possible) : stored - (offsets[0] ?? 0);
  }

  private offsetAt(time: number): number {
    const step = Math.floor(time / OFFSET_STEP_MS);
    const known = this.offsets.get(step);
    if (known !== undefined || !this.format) return known ?? 0;
    if (this.offsets.size >= KEPT_OFFSETS) this.offsets.clear();
    const local = Date.parse(`${this.format.format(step * OFFSET_STEP_MS).replace(' ', 'T')}Z`);
    const offset = local - step * OFFSET_STEP_MS;
    this.offsets.set(step, offset);
    return offset;
  }
}
