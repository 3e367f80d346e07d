import type { NewConnection } from '~/api/types';
import type { ExcludedColumns } from './excluded-columns';

/** Hashed fields by stream. */
export type HashedByStream = Record<string, string[]>;

export const toggleHashed = (hashed: string[], field: string): string[] =>
  hashed.includes(field) ? hashed.filter((name) => name !== field) : [...hashed, field];

/** An excluded field is not written, so it is not hashed either. Its choice applies again once it is included. */
export const writtenHashed = (hashed: string[] = [], leftOut: string[] = []): string[] =>
  hashed.filter((name) => !leftOut.includes(name));

/** The request body: only these streams, and only fields that are written. */
export const toHashedBody = (
  hashed: HashedByStream,
  streams: string[],
  leftOut: ExcludedColumns = {},
): NonNullable<NewConnection['hashedFields']> =>
  streams
    .map((stream) => ({ stream, columns: writtenHashed(hashed[stream], leftOut[stream]).toSorted() }))
    .filter(({ columns }) => columns.length > 0);
