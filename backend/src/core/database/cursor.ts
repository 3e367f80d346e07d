import { z } from 'zod';
import { Problem } from '../http/problem.js';

/** The longest sort value of a list is an e-mail address. */
const MAX_CHARACTERS = 320;
/** Lone surrogates and null characters: PostgreSQL cannot store them. */
const NO_TEXT = /\p{Surrogate}|\0/u;

/** Schemas of sort values. PostgreSQL can compare every value that passes them. */
export const sortValues = {
  id: z.uuid(),
  /** Format of `Date.toISOString`, limited to years that PostgreSQL supports. */
  moment: z.iso.datetime({ precision: 3 }).refine((text) => !text.startsWith('0000')),
  /** A number of a sequence, up to 2^63 - 1. */
  sequence: z.string().regex(/^\d{1,18}$/),
  /** A calendar day. */
  day: z.iso.date().refine((text) => !text.startsWith('0000')),
  text: z
    .string()
    .max(MAX_CHARACTERS)
    .refine((text) => !NO_TEXT.test(text)),
};

/**
 * A cursor contains the sort values of the last row of a page, so that pages neither repeat nor skip rows while rows are added.
 * Cursors are not signed: each value is validated, and the list's name rejects cursors of other lists.
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

  /** Null for the first page. */
  decode(cursor: string | undefined): Values | null {
    if (cursor === undefined) return null;
    const [list, ...values] = entriesOf(cursor);
    if (list !== this.list || !this.isValid(values)) throw invalidCursor();
    return values;
  }

  /** Removes the extra row that was read to detect a next page. */
  toPage<Item>(rows: Item[], limit: number, valuesOf: (item: Item) => Values): { items: Item[]; nextCursor: string | null } {
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return { items, nextCursor: rows.length > limit && last ? this.encode(valuesOf(last)) : null };
  }

  private isValid(values: unknown[]): values is Values {
    return values.length === this.types.length && this.types.every((type, index) => type.safeParse(values[index]).success);
  }
}

/** Cursor of a list that is sorted by id only. */
export class IdCursor extends Cursor<[string]> {
  constructor(list: string) {
    super(list, sortValues.id);
  }

  /** The id of the last row of the previous page. */
  after(cursor: string | undefined): string | null {
    return this.decode(cursor)?.[0] ?? null;
  }
}

function entriesOf(cursor: string): unknown[] {
  try {
    const entries: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(entries)) return entries;
  } catch {
    // Invalid JSON and a wrong shape are the same error.
  }
  throw invalidCursor();
}

function invalidCursor(): Problem {
  const message = 'cursor is not valid for this list. Start again without a cursor';
  return new Problem('request.invalid', { detail: message, errors: [{ field: 'cursor', message }] });
}
