import { Problem } from './problem.js';

/** Maximum nesting depth. Valid requests have at most three levels. */
const MAX_LEVELS = 32;
/** Lone surrogates are not valid Unicode. JSON columns and URLs cannot contain them. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Rejects values that PostgreSQL cannot store, before any field is validated. Applies to values and to keys of objects. */
export function assertStorable(value: unknown, field: string, level = 0): void {
  if (typeof value === 'string') assertText(value, field || 'body');
  // Raw bytes are validated by the handler that parses them.
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return;
  if (level >= MAX_LEVELS) throw invalidField(field || 'body', `must not be nested deeper than ${MAX_LEVELS} levels`);
  for (const [name, inner] of Object.entries(value)) {
    const path = field ? `${field}.${name}` : name;
    assertText(name, field || 'body');
    // Every object inherits these names, so the check for unknown fields would not detect them.
    if (!Array.isArray(value) && name in Object.prototype) throw invalidField(path, 'is not a field of this request');
    assertStorable(inner, path, level + 1);
  }
}

function assertText(text: string, field: string): void {
  if (text.includes('\0')) throw invalidField(field, 'must not contain a null character');
  if (LONE_SURROGATE.test(text)) throw invalidField(field, 'must be valid Unicode');
}

/** Field names come from the request and can be as long as its body. */
const MAX_CHARACTERS = 300;

function invalidField(path: string, rule: string): Problem {
  const field = path.slice(0, MAX_CHARACTERS);
  const message = `${field} ${rule}`;
  return new Problem('request.invalid', { detail: message, errors: [{ field, message }] });
}
