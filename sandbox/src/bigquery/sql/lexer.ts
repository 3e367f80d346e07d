import { SqlError } from './sql-error.ts';

export interface Token {
  kind: 'word' | 'quoted' | 'string' | 'integer' | 'float' | 'parameter' | 'variable' | 'symbol' | 'end';
  /** The text as written; for strings and quoted names the content. */
  text: string;
  /** Offset in the text, for error messages. */
  at: number;
}

const space = /(?:\s|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const patterns: [Token['kind'], RegExp][] = [
  ['float', /(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+/y],
  ['integer', /\d+/y],
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['variable', /@@[A-Za-z_][A-Za-z0-9_.]*/y],
  ['parameter', /@[A-Za-z_][A-Za-z0-9_]*/y],
  ['quoted', /`[^`\n]+`/y],
  ['string', /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y],
  ['symbol', /<=|>=|!=|<>|\|\||[-+*/=<>(),;.?[\]]/y],
];

export function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const token = readToken(text, at);
    tokens.push(token.token);
    at = skipSpace(text, token.end);
  }
  tokens.push({ kind: 'end', text: '', at: text.length });
  return tokens;
}

function skipSpace(text: string, at: number): number {
  space.lastIndex = at;
  space.exec(text);
  return space.lastIndex;
}

function readToken(text: string, at: number): { token: Token; end: number } {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) continue;
    return { token: { kind, text: contentOf(kind, found), at }, end: at + found.length };
  }
  const character = text[at] ?? '';
  const isUnclosed = `'"\``.includes(character);
  const problem = isUnclosed ? 'Unclosed string literal' : `Illegal input character ${JSON.stringify(character)}`;
  throw new SqlError(`Syntax error: ${problem}`, { at });
}

function contentOf(kind: Token['kind'], found: string): string {
  if (kind === 'quoted') return found.slice(1, -1);
  if (kind === 'parameter') return found.slice(1);
  return kind === 'string' ? unescape(found.slice(1, -1)) : found;
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07' };

function unescape(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g,
    (_, byte?: string, unit?: string, character?: string) =>
      (byte ?? unit)
        ? String.fromCharCode(Number.parseInt(byte ?? unit ?? '', 16))
        : (escapes[character ?? ''] ?? character ?? ''),
  );
}
