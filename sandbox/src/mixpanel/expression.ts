import { MixpanelError } from './errors.ts';
import type { Json } from './event.ts';

/** The part of Mixpanel's segmentation expressions that filters need, without arithmetic and dates. */
export type Expression = (properties: Record<string, Json>) => Json | undefined;

const token =
  /\s*(?:(properties\["((?:[^"\\]|\\.)*)"\])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?)|(==|!=|>=|<=|>|<|\(|\)|\[|\]|,)|([A-Za-z]+))/gy;

export function parseExpression(text: string): Expression {
  const parser = new Parser(tokenize(text));
  const expression = parser.parseOr();
  parser.expectEnd();
  return expression;
}

export function isMatch(expression: Expression, properties: Record<string, Json>): boolean {
  return expression(properties) === true;
}

type Token = { kind: 'property' | 'literal' | 'symbol'; value: Json };

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (token.lastIndex < trimmed.length) {
    const match = token.exec(trimmed);
    if (!match) throw invalid(text);
    const [, property, name, quoted, number, symbol, given] = match;
    // Mixpanel's own examples write AND and OR.
    const word = given?.toLowerCase();
    if (property !== undefined) tokens.push({ kind: 'property', value: JSON.parse(`"${name ?? ''}"`) as string });
    else if (quoted !== undefined) tokens.push({ kind: 'literal', value: JSON.parse(quoted) as string });
    else if (number !== undefined) tokens.push({ kind: 'literal', value: Number(number) });
    else if (word === 'true' || word === 'false') tokens.push({ kind: 'literal', value: word === 'true' });
    else tokens.push({ kind: 'symbol', value: symbol ?? word ?? '' });
  }
  return tokens;
}

class Parser {
  readonly #tokens: Token[];
  #at = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  parseOr(): Expression {
    let left = this.#parseAnd();
    while (this.#take('or')) left = either(left, this.#parseAnd());
    return left;
  }

  expectEnd(): void {
    if (this.#at < this.#tokens.length) throw invalid(String(this.#tokens[this.#at]?.value));
  }

  #parseAnd(): Expression {
    let left = this.#parseNot();
    while (this.#take('and')) left = both(left, this.#parseNot());
    return left;
  }

  #parseNot(): Expression {
    if (!this.#take('not')) return this.#parseComparison();
    const inner = this.#parseNot();
    return (properties) => inner(properties) !== true;
  }

  #parseComparison(): Expression {
    const left = this.#parseValue();
    const operator = ['==', '!=', '>=', '<=', '>', '<', 'in'].find((name) => this.#take(name));
    if (!operator) return left;
    const right = this.#parseValue();
    return (properties) => compare(operator, left(properties), right(properties));
  }

  #parseValue(): Expression {
    const next = this.#tokens[this.#at++];
    if (!next) throw invalid('the expression ends too early');
    if (next.kind === 'literal') return () => next.value;
    if (next.kind === 'property') return (properties) => properties[next.value as string];
    if (next.value === '(') return this.#closed(this.parseOr(), ')');
    if (next.value === '[') return this.#parseList();
    return this.#parseCall(String(next.value));
  }

  #parseCall(name: string): Expression {
    const cast = casts[name];
    if (!cast || !this.#take('(')) throw invalid(name);
    const inner = this.#closed(this.parseOr(), ')');
    return (properties) => cast(inner(properties));
  }

  #parseList(): Expression {
    const items: Expression[] = [];
    while (!this.#take(']')) {
      items.push(this.#parseValue());
      this.#take(',');
    }
    return (properties) => items.map((item) => item(properties) ?? null);
  }

  #closed(expression: Expression, symbol: string): Expression {
    if (!this.#take(symbol)) throw invalid(`${symbol} is missing`);
    return expression;
  }

  #take(symbol: string): boolean {
    const next = this.#tokens[this.#at];
    if (next?.kind !== 'symbol' || next.value !== symbol) return false;
    this.#at += 1;
    return true;
  }
}

const both =
  (left: Expression, right: Expression): Expression =>
  (properties) =>
    left(properties) === true && right(properties) === true;
const either =
  (left: Expression, right: Expression): Expression =>
  (properties) =>
    left(properties) === true || right(properties) === true;

const casts: Record<string, (value: Json | undefined) => Json | undefined> = {
  defined: (value) => value !== undefined && value !== null,
  string: (value) => (value === null || value === undefined ? value : String(value)),
  number: (value) => (value === null || value === undefined || Number.isNaN(Number(value)) ? undefined : Number(value)),
  boolean: (value) => value === true || value === 'true',
};

/** Values of different types are never equal and cannot be ordered. A text is "in" another if it is a part of it. */
function compare(operator: string, left: Json | undefined, right: Json | undefined): boolean | undefined {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (operator === 'in') {
    if (Array.isArray(right)) return right.includes(left ?? null);
    return typeof left === 'string' && typeof right === 'string' ? right.includes(left) : undefined;
  }
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  if (operator === '>') return left > right;
  if (operator === '<') return left < right;
  return operator === '>=' ? left >= right : left <= right;
}

function invalid(what: string): MixpanelError {
  return new MixpanelError(400, `request failed with error: invalid expression near ${what}`);
}
