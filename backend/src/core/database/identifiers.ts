import { v7 } from 'uuid';

/** UUIDv7 increases with time, so that new rows are at the end of an index. */
export const newId = (): string => v7();

/** The lowest UUIDv7 of a moment: rows since then are at the end of an index. */
export function firstIdOf(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
