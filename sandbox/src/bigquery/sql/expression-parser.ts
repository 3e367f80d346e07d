import { Cursor } from './cursor.ts';
import { SqlError } from './sql-error.ts';
import type { Expression, Query } from './syntax.ts';

const comparisons = ['=', '!=', '<>', '<=', '>=', '<', '>'];

/** Parses expressions, loosest binding first. */
export abstract class ExpressionParser extends Cursor {
  abstract query(): Query;

  expression(): Expression {
    return this.#leftAssociative(['OR'], () => this.#and());
  }

  #and(): Expression {
    return this.#leftAssociative(['AND'], () => this.#not());
  }

  #not(): Expression {
    const { at } = this.token;
    return this.accept('NOT') ? { kind: 'not', operand: this.#not(), at } : this.#comparison();
  }

  #comparison(): Expression {
    const left = this.#sum();
    const { at } = this.token;
    const operator = comparisons.find((sign) => this.accept(sign));
    if (operator) return { kind: 'binary', operator: operator === '<>' ? '!=' : operator, left, right: this.#sum(), at };
    if (this.accept('IS')) return this.#is(left, at);
    const isNegated = this.is('NOT') && ['LIKE', 'BETWEEN', 'IN'].some((word) => this.is('NOT', word)) && this.accept('NOT');
    if (this.accept('LIKE')) {
      const like: Expression = { kind: 'binary', operator: 'LIKE', left, right: this.#sum(), at };
      return isNegated ? { kind: 'not', operand: like, at } : like;
    }
    if (this.accept('BETWEEN')) {
      const low = this.#sum();
      this.expect('AND');
      return { kind: 'between', operand: left, low, high: this.#sum(), isNegated, at };
    }
    return this.accept('IN') ? { kind: 'in', operand: left, list: this.#list(), isNegated, at } : left;
  }

  #is(operand: Expression, at: number): Expression {
    const isNegated = this.accept('NOT');
    const value = (['NULL', 'TRUE', 'FALSE'] as const).find((word) => this.accept(word));
    if (!value) throw this.unexpected('Expected keyword NULL');
    return { kind: 'is', operand, value, isNegated, at };
  }

  #list(): Expression[] | Query {
    this.expect('(');
    const list = this.is('SELECT') ? this.query() : this.commaSeparated(() => this.expression());
    this.expect(')');
    return list;
  }

  #sum(): Expression {
    return this.#leftAssociative(['+', '-', '||'], () => this.#product());
  }

  #product(): Expression {
    return this.#leftAssociative(['*', '/'], () => this.#signed());
  }

  #leftAssociative(operators: string[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const { at } = this.token;
      const operator = operators.find((sign) => this.accept(sign));
      if (!operator) return left;
      left = { kind: 'binary', operator, left, right: operand(), at };
    }
  }

  #signed(): Expression {
    const { at } = this.token;
    if (this.accept('-')) return { kind: 'negative', operand: this.#signed(), at };
    return this.accept('+') ? this.#signed() : this.#primary();
  }

  #primary(): Expression {
    const { kind, text, at } = this.token;
    if (kind === 'integer' || kind === 'float') {
      return { kind: 'literal', type: kind === 'integer' ? 'INT64' : 'FLOAT64', text: this.next().text, at };
    }
    if (kind === 'string') return { kind: 'literal', type: 'STRING', text: this.next().text, at };
    if (kind === 'parameter') return { kind: 'parameter', name: this.next().text, at };
    if (kind === 'variable') return { kind: 'variable', name: this.next().text.toLowerCase(), at };
    if (this.accept('(')) return this.#parenthesis(at);
    if (kind === 'quoted') return this.#column(at);
    if (kind !== 'word') throw this.unexpected();
    return this.#keyword(text.toUpperCase(), at) ?? this.#callOrColumn(at);
  }

  #parenthesis(at: number): Expression {
    const inner: Expression = this.is('SELECT') ? { kind: 'subquery', query: this.query(), at } : this.expression();
    this.expect(')');
    return inner;
  }

  #keyword(word: string, at: number): Expression | null {
    if (word === 'NULL') return this.#literal('NULL', 'NULL', at);
    if (word === 'TRUE' || word === 'FALSE') return this.#literal('BOOL', word, at);
    if ((word === 'DATE' || word === 'TIMESTAMP') && this.peek(1)?.kind === 'string') {
      this.next();
      return { kind: 'literal', type: word, text: this.next().text, at };
    }
    if (this.accept('CASE')) return this.#case(at);
    if (word === 'CAST' || word === 'SAFE_CAST') return this.#cast(word === 'SAFE_CAST', at);
    if (this.accept('INTERVAL')) return { kind: 'interval', amount: this.#sum(), unit: this.identifier().toUpperCase(), at };
    if (!this.accept('EXISTS')) return null;
    this.expect('(');
    const query = this.query();
    this.expect(')');
    return { kind: 'exists', query, at };
  }

  #literal(type: 'NULL' | 'BOOL', text: string, at: number): Expression {
    this.next();
    return { kind: 'literal', type, text, at };
  }

  #case(at: number): Expression {
    const operand = this.is('WHEN') ? null : this.expression();
    const branches: { when: Expression; then: Expression }[] = [];
    while (this.accept('WHEN')) {
      const when = this.expression();
      this.expect('THEN');
      branches.push({ when, then: this.expression() });
    }
    const otherwise = this.accept('ELSE') ? this.expression() : null;
    this.expect('END');
    return { kind: 'case', operand, branches, otherwise, at };
  }

  #cast(isSafe: boolean, at: number): Expression {
    this.next();
    this.expect('(');
    const operand = this.expression();
    this.expect('AS');
    const type = this.identifier().toUpperCase();
    this.expect(')');
    return { kind: 'cast', operand, type, isSafe, at };
  }

  #callOrColumn(at: number): Expression {
    // IF is a reserved word and a function.
    const isCall = this.peek(1)?.kind === 'symbol' && this.peek(1)?.text === '(';
    if (!isCall) return this.#column(at);
    const name = this.next().text.toUpperCase();
    this.expect('(');
    if (this.accept('*')) {
      this.expect(')');
      return { kind: 'call', name, args: [], isDistinct: false, isStar: true, at };
    }
    const isDistinct = this.accept('DISTINCT');
    const args = this.is(')') ? [] : this.commaSeparated(() => this.expression());
    this.expect(')');
    if (this.is('OVER')) throw new SqlError('The sandbox does not support window functions', { at });
    return { kind: 'call', name, args, isDistinct, isStar: false, at };
  }

  #column(at: number): Expression {
    const path = [this.identifier()];
    while (this.accept('.')) path.push(this.identifier());
    return { kind: 'column', path, at };
  }
}
