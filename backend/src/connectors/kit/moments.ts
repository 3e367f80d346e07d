const DAY_MS = 86_400_000;

/** About 600 time zones exist. Their names can also be written in other cases. */
const MAX_FORMATTERS = 1_000;
/** Cached, because creating one takes a millisecond and memory outside of the heap. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** @throws {RangeError} if there is no such time zone */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone);
  if (cached) return cached;
  const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(timeZone, formatter);
  return formatter;
}

/** Not an offset such as `+05:30`, which PostgreSQL reads with the opposite sign. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Converts a local time to a moment. A time that occurs twice when clocks go back is the first one. A time that is skipped when
 * they go forward is shifted by the change, so it stays on its day even if the change is at midnight.
 */
export function momentInTimeZone(day: string, time: string, timeZone: string): Date {
  const wallClock = Date.parse(`${day}T${time}:00Z`);
  const offsets = [-DAY_MS, DAY_MS].map((distance) => offsetMs(new Date(wallClock + distance), timeZone));
  const moments = offsets.map((offset) => new Date(wallClock - offset));
  const matching = moments.filter((moment, index) => offsetMs(moment, timeZone) === offsets[index]);
  // Skipped times match neither offset: the one before the change shifts them forward.
  const [first = moments[0] as Date, second = first] = matching;
  return first <= second ? first : second;
}

function offsetMs(moment: Date, timeZone: string): number {
  const shown = formatterOf(timeZone).format(moment);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(moment.getTime() / 1_000) * 1_000;
}
