import { ExpressionParser } from './expression-parser.ts';
import { SqlError } from './sql-error.ts';
import type { FromItem, Join, Query, Select, SelectItem, TableName } from './syntax.ts';

/** Parses SELECT. */
export class QueryParser extends ExpressionParser {
  query(): Query {
    const { at } = this.token;
    if (this.is('WITH')) throw new SqlError('The sandbox does not support WITH: use a subquery', { at });
    const selects = [this.#select()];
    while (this.accept('UNION')) {
      this.expect('ALL');
      selects.push(this.#select());
    }
    const orderBy = this.accept('ORDER', 'BY') ? this.commaSeparated(() => this.#orderItem()) : [];
    const limit = this.accept('LIMIT') ? this.expression() : null;
    const offset = this.accept('OFFSET') ? this.expression() : null;
    return { selects, orderBy, limit, offset, at };
  }

  /** A table name, in one pair of backticks, in several, or bare. A bare project may contain dashes. */
  tableName(): TableName {
    const { at } = this.token;
    const parts = [this.#dashedName()];
    while (this.accept('.')) parts.push(this.identifier());
    return { path: parts.flatMap((part) => part.split('.')), at };
  }

  #dashedName(): string {
    let name = this.identifier();
    while (this.is('-')) {
      const [sign, word] = [this.token, this.peek(1)];
      if (!word || (word.kind !== 'word' && word.kind !== 'integer') || word.at !== sign.at + 1) break;
      this.next();
      name += `-${this.next().text}`;
    }
    return name;
  }

  #orderItem(): Query['orderBy'][number] {
    const expression = this.expression();
    const isDescending = this.accept('DESC');
    if (!isDescending) this.accept('ASC');
    return { expression, isDescending };
  }

  #select(): Select {
    this.expect('SELECT');
    const isDistinct = this.accept('DISTINCT');
    if (!isDistinct) this.accept('ALL');
    const items = this.commaSeparated(() => this.#selectItem());
    const from = this.accept('FROM') ? this.#fromItem() : null;
    const joins = from ? this.#joins() : [];
    const where = this.accept('WHERE') ? this.expression() : null;
    const groupBy = this.accept('GROUP', 'BY') ? this.commaSeparated(() => this.expression()) : [];
    const having = this.accept('HAVING') ? this.expression() : null;
    return { isDistinct, items, from, joins, where, groupBy, having };
  }

  #selectItem(): SelectItem {
    const { at } = this.token;
    if (this.accept('*')) return { expression: null, alias: null, at };
    const isAliasStar = this.peek(1)?.text === '.' && this.peek(2)?.kind === 'symbol' && this.peek(2)?.text === '*';
    if (isAliasStar) {
      const alias = this.identifier();
      this.expect('.', '*');
      return { expression: null, alias, at };
    }
    return { expression: this.expression(), alias: this.alias(), at };
  }

  #fromItem(): FromItem {
    const { at } = this.token;
    if (!this.accept('(')) {
      const table = this.tableName();
      return { kind: 'table', ...table, alias: this.alias() };
    }
    const query = this.query();
    this.expect(')');
    return { kind: 'query', query, alias: this.alias(), at };
  }

  #joins(): Join[] {
    const joins: Join[] = [];
    for (;;) {
      const type = this.#joinType();
      if (!type) return joins;
      const item = this.#fromItem();
      const condition = type === 'CROSS' ? null : (this.expect('ON'), this.expression());
      joins.push({ item, type, condition });
    }
  }

  #joinType(): Join['type'] | null {
    if (this.accept(',') || this.accept('CROSS', 'JOIN')) return 'CROSS';
    if (this.accept('JOIN') || this.accept('INNER', 'JOIN')) return 'INNER';
    return this.accept('LEFT', 'JOIN') || this.accept('LEFT', 'OUTER', 'JOIN') ? 'LEFT' : null;
  }
}
