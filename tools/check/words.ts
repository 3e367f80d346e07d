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

/** Documents that users read. Others name tables and code. */
const USER_DOCS =
  /^(README|CHANGELOG|docs\/(alerts|api|backfills|configuration|conversions|custom-apps|freshness|operations|payments|reconciliation|reporting|schema|test-bench))\.md$/;
const SHOWN_CODE = /^(backend|frontend)\/src\/(?!.*\.spec\.tsx?$|.*generated\/|.*schema\.d\.ts$).*\.tsx?$/;
const SLICE: ReplacedWord[] = ['slice', 'slices'].map((word) => ({ word, term: 'chunk' }));

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
/** Quoted texts, and lines of text between tags. */
const QUOTED = /(?<=[\s(])(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;
const BETWEEN_TAGS = /^ +[\w{][^'"`;=()<>:\n]*[\w}] slices?(?= |\.?$)/gim;

/** Leaves only the sentences of a source, at their lines. */
function sentencesOf(file: string, source: string): string {
  const code = source.replaceAll(COMMENTS, blank);
  const found = [...code.matchAll(QUOTED), ...(file.endsWith('.tsx') ? code.matchAll(BETWEEN_TAGS) : [])];
  const sentences = found.filter(([text]) => text.trim().includes(' '));
  return sentences.reduce(
    (rest, { 0: text, index }) => rest.slice(0, index) + text + rest.slice(index + text.length),
    blank(code),
  );
}

/** "Slice" is a word of the code. Users read "chunk". */
function findSlices(file: string, text: string): string[] {
  if (USER_DOCS.test(file)) return findReplacedWords(file, text.replaceAll(/`[^`\n]*`/g, blank), SLICE);
  return SHOWN_CODE.test(file) && /slice/i.test(text) ? findReplacedWords(file, sentencesOf(file, text), SLICE) : [];
}

/** Checks files of the repository. Applied migrations cannot change, and generated files follow their sources. */
export function checkWords(files: readonly string[], read: (file: string) => string): string[] {
  const words = readReplacedWords(read('docs/domain-language.md'));
  const isProse = (file: string): boolean =>
    /(\.(tsx?|m?js|cjs|css|html|md|prisma|ya?ml|sh|json)|Makefile|\.env\.example)$/.test(file) &&
    !/^(prisma\/migrations\/|package-lock\.json|docs\/domain-language\.md|tools\/check\/words\.spec\.ts)/.test(file);
  return files.filter(isProse).flatMap((file) => {
    const text = read(file);
    return [...findReplacedWords(file, text, words), ...findSlices(file, text)];
  });
}
