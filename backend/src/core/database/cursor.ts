import { z } from 'zod';
import { Problem } from '../http/problem.js';

/** Longest text that a list is sorted by: an e-mail address. */
const MOST_CHARACTERS = 320;
/** Lone surrogates and null characters: PostgreSQL cannot store them. */
const NO_TEXT = /\p{Surrogate}|\0/u;

/** Values that lists are sorted by. What passes them can be compared by PostgreSQL without an error. */
export const sortValues = {
  id: z.uuid(),
  /** As `Date.toISOString` writes it, in four-digit years that PostgreSQL knows. */
  moment: z.iso.datetime({ precision: 3 }).refine((text) => !text.startsWith('0000')),
  text: z
    .string()
    .max(MOST_CHARACTERS)
    .refine((text) => !NO_TEXT.test(text)),
};

/**
 * Cursors name the last row seen by its sort values, so that a page neither repeats nor skips a row while others are added. They
 * are not signed: each value is validated when it comes back, and a cursor of another list is rejected by the list's name.
 */
export class Cursor<Values extends string[]> {
  private readonly types: z.ZodType<string>[];

  constructor(
    private readonly list: string,
    ...types: { [Index in keyof Values]: z.ZodType<string> }
  ) {
    this.types = types;
  }

  encode(values: Values): string {
    return Buffer.from(JSON.stringify([this.list, ...values])).toString('base64url');
  }

  /** Null at the first page. */
  decode(cursor: string | undefined): Values | null {
    if (cursor === undefined) return null;
    const [list, ...values] = entriesOf(cursor);
    if (list !== this.list || !this.isOurs(values)) throw foreignCursor();
    return values;
  }

  /** Cuts the extra row that was read to find whether there is a next page. */
  toPage<Item>(rows: Item[], limit: number, valuesOf: (item: Item) => Values): { items: Item[]; nextCursor: string | null } {
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return { items, nextCursor: rows.length > limit && last ? this.encode(valuesOf(last)) : null };
  }

  private isOurs(values: unknown[]): values is Values {
    return values.length === this.types.length && this.types.every((type, index) => type.safeParse(values[index]).success);
  }
}

/** Of a list that is sorted by id alone. */
export class IdCursor extends Cursor<[string]> {
  constructor(list: string) {
    super(list, sortValues.id);
  }

  /** The id itself. */
  after(cursor: string | undefined): string | null {
    return this.decode(cursor)?.[0] ?? null;
  }
}

function entriesOf(cursor: string): unknown[] {
  try {
    const entries: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(entries)) return entries;
  } catch {
    // A broken text and a wrong shape are the same mistake.
  }
  throw foreignCursor();
}

function foreignCursor(): Problem {
  const message = 'cursor is not one of this list: start again without it';
  return new Problem('request.invalid', { detail: message, errors: [{ field: 'cursor', message }] });
}
