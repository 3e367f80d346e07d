import { describe, expect, it } from 'vitest';
import { checkWords, findReplacedWords, readReplacedWords } from './words.ts';

const TABLE = `| term | meaning | replaces |
| ---- | ------- | -------- |
| fix | correct an error | mend; mended |
| run | one load | |
| resume | work again | goes on |
| lookback window | days | look-back |`;

describe('words of the terms table', () => {
  it('are read from the third column of the table of terms', () => {
    expect(readReplacedWords(TABLE)).toEqual([
      { word: 'mend', term: 'fix' },
      { word: 'mended', term: 'fix' },
      { word: 'goes on', term: 'resume' },
      { word: 'look-back', term: 'lookback window' },
    ]);
  });

  it('are found in upper and lower case and across line breaks of a comment, but not inside other words', () => {
    const text = '// Mended here.\nconst recommended = 1;\n/** The run goes\n * on. */\n// look-back, outlook-back\n';
    expect(findReplacedWords('a.ts', text, readReplacedWords(TABLE))).toEqual([
      'a.ts:1: "mended", use: fix',
      'a.ts:3: "goes on", use: resume',
      'a.ts:5: "look-back", use: lookback window',
    ]);
  });

  it('are accepted in applied migrations and in the table itself', () => {
    const files: Record<string, string> = {
      'docs/domain-language.md': TABLE,
      'prisma/migrations/1/migration.sql': 'mended',
      'prisma/migrations/1/notes.md': 'mended',
      'docs/a.md': 'It goes on.',
    };
    expect(checkWords(Object.keys(files), (file) => files[file]!)).toEqual(['docs/a.md:1: "goes on", use: resume']);
  });
});

describe('slice, a word of the code', () => {
  const check = (file: string, text: string): string[] =>
    checkWords(['docs/domain-language.md', file], (name) => (name === file ? text : TABLE));

  it('is rejected in documents for users, but not as a name in code', () => {
    expect(check('docs/backfills.md', 'Each chunk is loaded.\nA Slice fails. See `sync/slice.ts` and `slices`.')).toEqual([
      'docs/backfills.md:2: "slice", use: chunk',
    ]);
    expect(check('docs/architecture.md', 'A slice fails.')).toEqual([]);
  });

  it('is rejected in sentences that users see, but not in comments, names and tests', () => {
    const code = "// A slice fails.\nconst text = 'All slices are loaded.';\nfield('slices', rows.slice(1), \"a slice\");\n";
    expect(check('backend/src/a.ts', code)).toEqual([
      'backend/src/a.ts:3: "slice", use: chunk',
      'backend/src/a.ts:2: "slices", use: chunk',
    ]);
    expect(check('frontend/src/a.tsx', 'return (\n  <p>\n    Loads {n} slices\n  </p>\n);')).toEqual([
      'frontend/src/a.tsx:3: "slices", use: chunk',
    ]);
    expect(check('backend/src/a.spec.ts', code)).toEqual([]);
  });

  it('is rejected in the fixed parts of template literals, but not in their expressions and in SQL', () => {
    const code = [
      'const text = `Loads ${slice.days === 1 ? `one slice` : `${slices.length} slices`} of ${plural(slices, "slice")}`;',
      'const sql = `select count(*) as slices from ${table} s where s.slice = ${slice}`;',
      'const quoted = /`/;',
      'const lines = `The first line',
      '  of a slice.`;',
    ].join('\n');
    expect(check('frontend/src/a.ts', code)).toEqual([
      'frontend/src/a.ts:1: "slice", use: chunk',
      'frontend/src/a.ts:5: "slice", use: chunk',
      'frontend/src/a.ts:1: "slices", use: chunk',
    ]);
  });
});
