export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

export const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}@.]+/gu) ?? [];

/** Two letters are in many names. */
const MIN_LETTERS = 3;

export const gapsOf = (positions: number[]): number =>
  positions.filter((position, index) => index > 0 && position - 1 !== positions[index - 1]).length;

function lettersFrom(start: number, word: string, text: string): number[] | null {
  const positions = [start];
  let last = start;
  for (const letter of word.slice(1)) {
    last = text.indexOf(letter, last + 1);
    if (last < 0) return null;
    positions.push(last);
  }
  return positions;
}

/**
 * Where the text has the letters of the word in this order, from the beginning of a word and with few gaps. Null: nowhere. Both are
 * `plain`.
 */
export function findLetters(word: string, text: string): number[] | null {
  if (word.length < MIN_LETTERS) return null;
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].filter(([letter]) => letter === word[0]);
  const found = starts.flatMap(({ index }) => {
    const positions = lettersFrom(index, word, text);
    return positions && gapsOf(positions) <= Math.ceil(word.length / 2) ? [positions] : [];
  });
  return found.toSorted((a, b) => gapsOf(a) - gapsOf(b))[0] ?? null;
}
