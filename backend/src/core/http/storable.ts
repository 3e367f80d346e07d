import { Problem } from './problem.js';

/** Levels of lists and objects in each other; what calls take has three. */
const MOST_LEVELS = 32;
/** Halves of characters that stand alone: not Unicode, so that neither JSON columns nor URLs hold them. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Refuses what PostgreSQL cannot hold and what no code should meet, before any rule of a field. Keys of objects are texts too. */
export function assertStorable(value: unknown, field: string, level = 0): void {
  if (typeof value === 'string') assertText(value, field || 'body');
  // Bytes are no text yet: whoever reads them judges what is in them.
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return;
  if (level >= MOST_LEVELS) throw refusal(field || 'body', `must not be nested deeper than ${MOST_LEVELS} levels`);
  for (const [name, inner] of Object.entries(value)) {
    const path = field ? `${field}.${name}` : name;
    assertText(name, field || 'body');
    // Every object has these already: a rule that asks for unknown names would not find them.
    if (!Array.isArray(value) && name in Object.prototype) throw refusal(path, 'should not exist');
    assertStorable(inner, path, level + 1);
  }
}

function assertText(text: string, field: string): void {
  if (text.includes('\0')) throw refusal(field, 'must not contain a null character');
  if (LONE_SURROGATE.test(text)) throw refusal(field, 'must be whole Unicode characters');
}

/** Names of fields come from the request and can be as long as its body. */
const MOST_CHARACTERS = 300;

function refusal(path: string, rule: string): Problem {
  const field = path.slice(0, MOST_CHARACTERS);
  const message = `${field} ${rule}`;
  return new Problem('request.invalid', { detail: message, errors: [{ field, message }] });
}
