import { Problem, type ProblemCode } from './problem.js';

/** Limits of a JSON text. */
export interface JsonBounds {
  /** Nesting depth of lists and objects. */
  levels: number;
  /** Fields of one object. */
  fields: number;
  /** Items of one list. */
  items: number;
  /** Total number of values, at any depth. */
  values: number;
}

/**
 * The largest bodies that the API accepts are 500 account ids, and excluded columns of 50 streams. Validation of a field takes
 * at most quadratic time in these bounds.
 */
export const BODY_BOUNDS: JsonBounds = { levels: 32, fields: 200, items: 1_000, values: 10_000 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

interface Count {
  isList: boolean;
  entries: number;
}

/**
 * Rejects a JSON text that is nested too deep or has too many values. One pass over the bytes, before the text is parsed and
 * allocates memory. The parser checks the syntax. In UTF-8 these bytes never occur inside another character.
 * @returns the number of values
 */
export function assertBounded(bytes: Uint8Array, bounds: JsonBounds, code: ProblemCode = 'request.invalid'): number {
  const violation = (rule: string): Problem => {
    const message = `body must have ${rule}`;
    return new Problem(code, { detail: message, errors: [{ field: 'body', message }] });
  };
  const open: Count[] = [];
  let values = 1;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfText(bytes, index);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      // A list has one more entry than commas. An empty list counts as one entry.
      values += 1;
      if (open.push({ isList: byte === OPEN_LIST, entries: 1 }) > bounds.levels)
        throw violation(`at most ${bounds.levels} levels`);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) open.pop();
    else if (byte === COMMA) {
      values += 1;
      countEntry(open.at(-1), bounds, violation);
    } else continue;
    if (values > bounds.values) throw violation(`at most ${bounds.values.toLocaleString('en')} values`);
  }
  return values;
}

function countEntry(open: Count | undefined, bounds: JsonBounds, violation: (rule: string) => Problem): void {
  if (!open) return;
  open.entries += 1;
  const { isList, entries } = open;
  if (isList && entries > bounds.items) throw violation(`at most ${bounds.items.toLocaleString('en')} items in a list`);
  if (!isList && entries > bounds.fields) throw violation(`at most ${bounds.fields.toLocaleString('en')} fields in an object`);
}

/** Index of the closing quote of the string that opens at `start`, or the end of the bytes. */
function endOfText(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}
