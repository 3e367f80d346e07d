import { readTokens, type Token } from './lexer.ts';
import { SqlError } from './sql-error.ts';

/** Words that cannot be a bare alias, because they continue the statement. */
const reserved = new Set(
  (
    'ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS DESC DISTINCT ELSE END EXCEPT EXISTS FALSE FROM FULL GROUP HAVING IF IN INNER ' +
    'INTERSECT INTERVAL INTO IS JOIN LEFT LIKE LIMIT MERGE NOT NULL OFFSET ON OR ORDER OUTER PARTITION QUALIFY RIGHT SELECT SET THEN TRUE ' +
    'UNION USING VALUES WHEN WHERE WINDOW WITH'
  ).split(' '),
);

/** Iterates over the tokens of a text. */
export class Cursor {
  readonly #tokens: Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = readTokens(text);
  }

  get token(): Token {
    return this.#tokens[this.#position] as Token;
  }

  get isAtEnd(): boolean {
    return this.token.kind === 'end';
  }

  peek(distance: number): Token | undefined {
    return this.#tokens[this.#position + distance];
  }

  next(): Token {
    const { token } = this;
    if (token.kind !== 'end') this.#position += 1;
    return token;
  }

  /** Whether these words or symbols come next; case-insensitive. */
  is(...texts: string[]): boolean {
    return texts.every((text, index) => matches(this.peek(index), text));
  }

  accept(...texts: string[]): boolean {
    if (!this.is(...texts)) return false;
    this.#position += texts.length;
    return true;
  }

  expect(...texts: string[]): void {
    for (const text of texts) if (!this.accept(text)) throw this.unexpected(`Expected ${quoted(text)}`);
  }

  identifier(): string {
    const { kind, text } = this.token;
    if (kind === 'quoted' || (kind === 'word' && !reserved.has(text.toUpperCase()))) return this.next().text;
    throw this.unexpected('Expected identifier');
  }

  /** AS name, or a bare name that is not a reserved word. */
  alias(): string | null {
    if (this.accept('AS')) return this.identifier();
    const { kind, text } = this.token;
    return kind === 'quoted' || (kind === 'word' && !reserved.has(text.toUpperCase())) ? this.next().text : null;
  }

  commaSeparated<Item>(read: () => Item): Item[] {
    const items = [read()];
    while (this.accept(',')) items.push(read());
    return items;
  }

  unexpected(expected: string | null = null): SqlError {
    const { kind, text, at } = this.token;
    const got = kind === 'end' ? 'end of input' : `${names[kind] ?? ''}${quoted(text)}`.replace('keyword', '').trim();
    const message = expected === null ? `Unexpected ${got}` : `${expected} but got ${got}`;
    return new SqlError(`Syntax error: ${message}`, { at });
  }
}

const names: Partial<Record<Token['kind'], string>> = {
  word: 'identifier ',
  quoted: 'identifier ',
  string: 'string literal ',
  integer: 'integer literal ',
  float: 'floating point literal ',
};

function matches(token: Token | undefined, text: string): boolean {
  if (token?.kind === 'word') return token.text.toUpperCase() === text;
  return token?.kind === 'symbol' && token.text === text;
}

function quoted(text: string): string {
  return `"${text}"`;
}
