import { validate as isUuid } from 'uuid';
import { Problem } from './problem.js';

/** Cursors name the last row seen by its sort values, so that a page neither repeats nor skips a row while others are added. */
export const encodeCursor = (values: (string | number)[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');

export function decodeCursor(cursor: string): (string | number)[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(values) && values.every(isSortValue)) return values;
  } catch {
    // Falls through to the refusal: a broken text and a wrong shape are the same mistake.
  }
  throw foreignCursor();
}

/** For lists that are sorted by id alone. */
export function decodeIdCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const [id] = decodeCursor(cursor);
  if (typeof id !== 'string' || !isUuid(id)) throw foreignCursor();
  return id;
}

const foreignCursor = (): Problem =>
  new Problem('request.invalid', {
    detail: 'cursor is not one of ours',
    errors: [{ field: 'cursor', message: 'cursor is not one of ours' }],
  });

/** Cuts the extra row that was read to learn whether there is a next page. */
export function toPage<Item>(
  rows: Item[],
  limit: number,
  cursorOf: (item: Item) => (string | number)[],
): { items: Item[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(cursorOf(last)) : null };
}

/** PostgreSQL's texts hold no null character. */
const isSortValue = (value: unknown): value is string | number =>
  (typeof value === 'string' && !value.includes('\0')) || typeof value === 'number';
