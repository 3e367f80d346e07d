import { Problem } from './problem.js';

/** Cursors name the last row seen by its sort values, so that a page neither repeats nor skips a row while others are added. */
export const encodeCursor = (values: (string | number)[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');

export function decodeCursor(cursor: string): (string | number)[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(values) && values.every((value) => typeof value === 'string' || typeof value === 'number')) return values;
  } catch {
    // Falls through to the refusal: a broken text and a wrong shape are the same mistake.
  }
  throw new Problem('request.invalid', {
    detail: 'cursor is not one of ours',
    errors: [{ field: 'cursor', message: 'cursor is not one of ours' }],
  });
}

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
