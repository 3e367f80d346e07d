import type { StoredEvent } from './event.ts';
import type { Project } from './projects.ts';

const dayMs = 86_400_000;

/** Projects made before 2023 hold the wall clock of their zone as if it were UTC, and give it out so. */
export function storedTime({ time }: StoredEvent, project: Project): number {
  return project.isStoredInProjectTime ? wallClock(time, project.timeZone) : time;
}

/** The day raw exports file an event under, in days since 1970-01-01. */
export function dayOf(event: StoredEvent, project: Project): number {
  return Math.floor(storedTime(event, project) / dayMs);
}

/** Reports show days of the project's zone, whenever the project was made. */
export function reportDayOf({ time }: StoredEvent, project: Project): number {
  return Math.floor(wallClock(time, project.timeZone) / dayMs);
}

/** Making one is slow, and every event of an export needs it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function wallClock(time: number, timeZone: string): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  const text = format.format(time);
  return Date.parse(`${text.replace(' ', 'T')}Z`) + (time % 1_000);
}
