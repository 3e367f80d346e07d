import { z } from 'zod';
import type { SourceCursor } from '../conversion-source.js';

/** Statements of this length are still read by people. */
const LONGEST_QUERY = 20_000;
const MILLISECONDS_PER_HOUR = 3_600_000;

/** Fields of the form for a source that is a query. None of them is secret. */
export const querySettingsSchema = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(LONGEST_QUERY)
    // Without it, the end of the query could not be found by the parser of the server.
    .transform((text) => text.replace(/[\s;]+$/, ''))
    .pipe(z.string().min(1, 'a SELECT statement'))
    .meta({
      title: 'Query',
      description:
        'One SELECT statement. Every row is an event, and every column is a field of the mapping. It cannot change data.',
      format: 'sql',
    }),
  timeField: z.string().trim().min(1).max(128).nullable().default(null).meta({
    title: 'Time field',
    description:
      'Column with the time at which a row was written. Only rows from the last read on are read again. Without it, each read returns all rows. Rows without a time are not read.',
  }),
  overlapHours: z
    .number()
    .int()
    .min(0)
    .max(24 * 30)
    .default(24)
    .meta({
      title: 'Overlap in hours',
      description:
        'How far each read goes back before the newest row, for rows that were written late. Events are still sent once.',
    }),
});

export type QuerySettings = z.infer<typeof querySettingsSchema>;

/** The time from which rows are read, never before `since`; null: all rows. */
export function startOf({ timeField, overlapHours }: QuerySettings, cursor: SourceCursor | null, since: Date): Date | null {
  if (timeField === null) return null;
  const newest = cursor?.['newest'];
  if (typeof newest !== 'string') return since;
  return new Date(Math.max(since.getTime(), Date.parse(newest) - overlapHours * MILLISECONDS_PER_HOUR));
}

/**
 * The cursor after rows up to `newest`. A time in the future is replaced by the current one, so that one wrong row does not hide the
 * rows after it.
 */
export function cursorAfter(newest: string | null, before: SourceCursor | null, now: Date): SourceCursor {
  if (newest === null) return before ?? {};
  return { newest: Date.parse(newest) < now.getTime() ? newest : now.toISOString() };
}
