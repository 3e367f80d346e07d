import type { StoredEvent } from './event.ts';
import type { Project } from './projects.ts';

const dayMs = 86_400_000;

/** Projects created before 2023 store and return the local time of their zone as if it were UTC. */
export function storedTime({ time }: StoredEvent, project: Project): number {
  return project.isStoredInProjectTime ? wallClock(time, project.timeZone) : time;
}

/** The day of an event in raw exports, in days since 1970-01-01. */
export function dayOf(event: StoredEvent, project: Project): number {
  return Math.floor(storedTime(event, project) / dayMs);
}

/** The current day of raw exports. */
export function todayOf(project: Project, now: number): number {
  return Math.floor((project.isStoredInProjectTime ? wallClock(now, project.timeZone) : now) / dayMs);
}

/** Reports use days of the project's zone, whatever its creation date. */
export function reportDayOf({ time }: StoredEvent, project: Project): number {
  return Math.floor(wallClock(time, project.timeZone) / dayMs);
}

/** Cached because creating a formatter is slow, and every event of an export needs one. */
const formats = new Map<string, Intl.DateTimeFormat>();

function wallClock(time: number, timeZone: string): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  const text = format.format(time);
  return Date.parse(`${text.replace(' ', 'T')}Z`) + (time % 1_000);
}
