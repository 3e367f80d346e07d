import { queryError } from './errors.ts';

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'IN' | 'NOT IN' | 'BETWEEN' | 'DURING';

export interface Condition {
  field: string;
  operator: Operator;
  values: string[];
}

export interface Query {
  select: string[];
  from: string;
  where: Condition[];
  orderBy: { field: string; isDescending: boolean }[];
  limit: number | null;
}

interface Token {
  kind: 'word' | 'text' | 'number' | 'symbol';
  value: string;
}

const tokenPattern = /\s*(?:([A-Za-z_][\w.]*)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|(<=|>=|!=|[=<>(),]))/y;

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  let position = 0;
  while (position < text.trimEnd().length) {
    const match = tokenPattern.exec(text);
    if (!match) throw unreadable(text.slice(position).trim());
    position = tokenPattern.lastIndex;
    const [, word, single, double, number, symbol] = match;
    if (word !== undefined) tokens.push({ kind: 'word', value: word });
    else if (number !== undefined) tokens.push({ kind: 'number', value: number });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', value: symbol });
    else tokens.push({ kind: 'text', value: (single ?? double ?? '').replace(/\\(.)/g, '$1') });
  }
  return tokens;
}

function unreadable(rest: string): Error {
  const start = rest[0] ?? '';
  if (start === "'" || start === '"') return queryError('STRING_NOT_TERMINATED', 'Error in query: a string is not terminated.');
  return queryError('BAD_SYMBOL', `Error in query: unexpected input ${start}.`);
}

/** Parses SELECT … FROM … WHERE … AND … ORDER BY … LIMIT … PARAMETERS …, without checking fields. */
export function parseQuery(text: string): Query {
  const reader = new TokenReader(tokenize(text));
  if (!reader.takeWord('SELECT')) throw queryError('EXPECTED_SELECT', 'Error in query: a SELECT clause is expected.');
  const select = reader.takeFields();
  if (!reader.takeWord('FROM')) throw queryError('EXPECTED_FROM', 'Error in query: a FROM clause is expected.');
  const from = reader.take('word').value;
  const where = reader.takeWord('WHERE') ? takeConditions(reader) : [];
  const orderBy = takeOrder(reader);
  const limit = reader.takeWord('LIMIT') ? takeLimit(reader) : null;
  if (reader.takeWord('PARAMETERS')) reader.takeParameters();
  const rest = reader.peek();
  if (rest) throw queryError('UNEXPECTED_INPUT', `Error in query: unexpected input ${rest.value}.`);
  return { select, from, where, orderBy, limit };
}

class TokenReader {
  readonly #tokens: Token[];
  #position = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token | undefined {
    return this.#tokens[this.#position];
  }

  take(kind?: Token['kind']): Token {
    const token = this.peek();
    if (!token) throw queryError('UNEXPECTED_END_OF_QUERY', 'Error in query: unexpected end of query.');
    if (kind && token.kind !== kind) throw queryError('UNEXPECTED_INPUT', `Error in query: unexpected input ${token.value}.`);
    this.#position += 1;
    return token;
  }

  takeWord(word: string): boolean {
    const token = this.peek();
    const isThere = token?.kind === 'word' && token.value.toUpperCase() === word;
    if (isThere) this.#position += 1;
    return isThere;
  }

  takeSymbol(symbol: string): boolean {
    const token = this.peek();
    const isThere = token?.kind === 'symbol' && token.value === symbol;
    if (isThere) this.#position += 1;
    return isThere;
  }

  takeFields(): string[] {
    const fields = [this.take('word').value];
    while (this.takeSymbol(',')) fields.push(this.take('word').value);
    return fields;
  }

  takeValue(): string {
    const token = this.take();
    if (token.kind === 'symbol') throw queryError('BAD_VALUE', `Error in query: ${token.value} is not a value.`);
    return token.value;
  }

  takeParameters(): void {
    do {
      const name = this.take('word').value;
      if (!this.takeSymbol('=')) throw queryError('UNEXPECTED_INPUT', `Error in query: = is expected after ${name}.`);
      this.takeValue();
      if (name !== 'include_drafts' && name !== 'omit_unselected_resource_names') {
        throw queryError('BAD_PARAMETER_NAME', `Error in query: unrecognized parameter ${name}.`);
      }
    } while (this.takeSymbol(','));
  }
}

function takeConditions(reader: TokenReader): Condition[] {
  const conditions = [takeCondition(reader)];
  while (reader.takeWord('AND')) conditions.push(takeCondition(reader));
  return conditions;
}

function takeCondition(reader: TokenReader): Condition {
  const field = reader.take('word').value;
  const isNegated = reader.takeWord('NOT');
  if (reader.takeWord('IN')) return { field, operator: isNegated ? 'NOT IN' : 'IN', values: takeList(reader) };
  if (reader.takeWord('BETWEEN')) {
    const from = reader.takeValue();
    if (!reader.takeWord('AND')) throw queryError('EXPECTED_AND', 'Error in query: BETWEEN needs AND.');
    return { field, operator: 'BETWEEN', values: [from, reader.takeValue()] };
  }
  if (reader.takeWord('DURING')) return { field, operator: 'DURING', values: [reader.take('word').value] };
  const operator = reader.take().value;
  if (!isComparison(operator) || isNegated)
    throw queryError('BAD_OPERATOR', `Error in query: unrecognized operator ${operator}.`);
  return { field, operator, values: [reader.takeValue()] };
}

function isComparison(text: string): text is '=' | '!=' | '<' | '<=' | '>' | '>=' {
  return ['=', '!=', '<', '<=', '>', '>='].includes(text);
}

function takeList(reader: TokenReader): string[] {
  if (!reader.takeSymbol('(')) throw queryError('EXPECTED_LIST', 'Error in query: IN needs a list in parentheses.');
  if (reader.takeSymbol(')')) throw queryError('PROHIBITED_EMPTY_LIST_IN_CONDITION', 'Error in query: the list is empty.');
  const values = [reader.takeValue()];
  while (reader.takeSymbol(',')) values.push(reader.takeValue());
  if (!reader.takeSymbol(')')) throw queryError('EXPECTED_LIST', 'Error in query: the list is not closed.');
  return values;
}

function takeOrder(reader: TokenReader): Query['orderBy'] {
  if (!reader.takeWord('ORDER')) return [];
  if (!reader.takeWord('BY')) throw queryError('EXPECTED_BY', 'Error in query: ORDER needs BY.');
  const order: Query['orderBy'] = [];
  do {
    const field = reader.take('word').value;
    const isDescending = reader.takeWord('DESC');
    if (!isDescending) reader.takeWord('ASC');
    order.push({ field, isDescending });
  } while (reader.takeSymbol(','));
  return order;
}

function takeLimit(reader: TokenReader): number {
  const value = reader.takeValue();
  if (!/^\d+$/.test(value)) throw queryError('BAD_LIMIT_VALUE', `Error in query: ${value} is not a limit.`);
  if (Number(value) < 1) throw queryError('LIMIT_VALUE_TOO_LOW', 'Error in query: the limit must be at least 1.');
  return Number(value);
}
