import { isDeepStrictEqual } from 'node:util';

/** Longest shown value. */
const CHARACTERS = 80;

/** One line for each field whose value differs. The names of fields are those of the file. */
export function differences(before: object, after: object): string[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after).flatMap(([field, value]: [string, unknown]) => {
    const previous: unknown = old.get(field);
    return isSame(previous, value) ? [] : [`${field}: ${describe(previous, value)}`];
  });
}

const isSame = (left: unknown, right: unknown): boolean => isDeepStrictEqual(plain(left), plain(right));

/** Without prototypes and missing fields: the one is read from the database, the other from a request. */
const plain = (value: unknown): unknown => (value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown));

function describe(before: unknown, after: unknown): string {
  if (!isTexts(before) || !isTexts(after)) return `from ${shown(before)} to ${shown(after)}`;
  const added = after.filter((text) => !before.includes(text));
  const removed = before.filter((text) => !after.includes(text));
  if (added.length + removed.length === 0) return 'other order';
  return [...listed('added', added), ...listed('removed', removed)].join('; ');
}

const listed = (word: string, texts: string[]): string[] => (texts.length > 0 ? [`${word} ${cut(texts.join(', '))}`] : []);
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');
const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'none';
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
};
const cut = (text: string): string => (text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text);
