import ts from 'typescript';

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
  /^(README|CHANGELOG|docs\/(alerts|api|backfills|configuration|conversions|custom-apps|first-steps|freshness|operations|payments|reconciliation|reporting|schema|test-bench))\.md$/;
const SHOWN_CODE = /^(backend|frontend)\/src\/(?!.*\.spec\.tsx?$|.*generated\/|.*schema\.d\.ts$).*\.tsx?$/;
const SLICE: ReplacedWord[] = ['slice', 'slices'].map((word) => ({ word, term: 'chunk' }));

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** Not a method call. Most files have only those, and need no parser. */
const NAMED_SLICE = /(?<![\w.-])slices?(?![\w(-])/i;
/** Statements are in lower case, and sentences begin with a capital letter. */
const SQL = /^`\s*(?:select|with|insert|update|delete)\b/;

/** The parts of a template literal between its expressions. */
const fixedParts = (node: ts.Node): ts.Node[] =>
  ts.isTemplateExpression(node) ? [node.head, ...node.templateSpans.map(({ literal }) => literal)] : [node];

const isText = (node: ts.Node): boolean =>
  ts.isJsxText(node) || ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);

/** Leaves only the sentences of a source, at their lines: texts between tags, and literals of several words. */
function sentencesOf(file: string, source: string): string {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const left = blank(source).split('');
  const visit = (node: ts.Node): void => {
    if (isText(node)) {
      const parts = fixedParts(node).map((part) => ({ start: part.getStart(tree), text: part.getText(tree) }));
      const text = parts.map((part) => part.text).join('');
      const isSentence = ts.isJsxText(node) || (text.trim().includes(' ') && !SQL.test(text));
      if (isSentence) for (const part of parts) left.splice(part.start, part.text.length, ...part.text.split(''));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return left.join('');
}

/** "Slice" is a word of the code. Users read "chunk". */
function findSlices(file: string, text: string): string[] {
  if (USER_DOCS.test(file)) return findReplacedWords(file, text.replaceAll(/`[^`\n]*`/g, blank), SLICE);
  return SHOWN_CODE.test(file) && NAMED_SLICE.test(text) ? findReplacedWords(file, sentencesOf(file, text), SLICE) : [];
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
