/** A word or phrase that `docs/domain-language.md` replaces by a term. */
export interface ReplacedWord {
  word: string;
  term: string;
}

/** Reads the table of terms: the third column lists the replaced words, separated by semicolons. */
export function readReplacedWords(table: string): ReplacedWord[] {
  return table
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, term = '', , words = '']) => term !== '' && term !== 'term' && !/^-+$/.test(term) && words !== '')
    .flatMap(([, term = '', , words = '']) => words.split(';').map((word) => ({ word: word.trim(), term })));
}

/** One line for each use of a replaced word: `file:line: "word", use: term`. Line breaks inside a phrase count as spaces. */
export function findReplacedWords(file: string, text: string, words: readonly ReplacedWord[]): string[] {
  return words.flatMap(({ word, term }) => {
    const pattern = word.replaceAll(/[\s-]+/g, (gap) => (gap.includes('-') ? '-' : '\\s+(?:[*/]+\\s*)?'));
    return [...text.matchAll(new RegExp(`(?<![\\w-])${pattern}(?![\\w-])`, 'gi'))].map(
      ({ index }) => `${file}:${text.slice(0, index).split('\n').length}: "${word}", use: ${term}`,
    );
  });
}

/** Checks files of the repository. Applied migrations cannot change, and generated files follow their sources. */
export function checkWords(files: readonly string[], read: (file: string) => string): string[] {
  const words = readReplacedWords(read('docs/domain-language.md'));
  const isProse = (file: string): boolean =>
    /(\.(tsx?|m?js|cjs|css|html|md|prisma|ya?ml|sh|json)|Makefile|\.env\.example)$/.test(file) &&
    !/^(prisma\/migrations\/|package-lock\.json|docs\/domain-language\.md|tools\/check\/words\.spec\.ts)/.test(file);
  return files.filter(isProse).flatMap((file) => findReplacedWords(file, read(file), words));
}
