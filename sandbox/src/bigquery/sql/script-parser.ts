import { CreationParser } from './creation-parser.ts';
import { SqlError } from './sql-error.ts';
import type { Assignment, ColumnChange, Expression, Statement } from './syntax.ts';

export function parseScript(text: string): Statement[] {
  return new ScriptParser(text).script();
}

/** Parses statements separated by semicolons. */
class ScriptParser extends CreationParser {
  script(): Statement[] {
    const statements: Statement[] = [];
    while (!this.isAtEnd) {
      if (this.accept(';')) continue;
      statements.push(this.#statement());
      if (!this.isAtEnd && !this.is(';')) throw this.unexpected('Expected end of input');
    }
    if (statements.length === 0) throw this.unexpected();
    return statements;
  }

  #statement(): Statement {
    const { at } = this.token;
    if (this.is('SELECT') || this.is('WITH')) return { kind: 'query', query: this.query(), at };
    if (this.accept('BEGIN')) return this.#transaction('begin', at);
    if (this.accept('COMMIT')) return this.#transaction('commit', at);
    if (this.accept('ROLLBACK')) return this.#transaction('rollback', at);
    if (this.accept('ASSERT')) return this.#assert(at);
    if (this.accept('INSERT')) return this.#insert(at);
    if (this.accept('DELETE')) return this.#delete(at);
    if (this.accept('UPDATE')) return this.#update(at);
    if (this.accept('TRUNCATE', 'TABLE')) return { kind: 'truncate', table: this.tableName(), at };
    if (this.accept('ALTER', 'TABLE'))
      return { kind: 'alter', table: this.tableName(), changes: this.commaSeparated(() => this.#columnChange()), at };
    if (this.accept('CREATE')) return { kind: 'create', ...this.creation(), at };
    const known = /^(MERGE|DROP|DECLARE|SET|IF|LOOP|WHILE|CALL|EXECUTE|EXPORT|LOAD|GRANT|RAISE)$/i;
    if (this.token.kind === 'word' && known.test(this.token.text))
      throw new SqlError(`The sandbox does not support ${this.token.text.toUpperCase()}`, { at });
    throw this.unexpected();
  }

  /** The part of ALTER TABLE that changes columns. */
  #columnChange(): ColumnChange {
    if (this.accept('ADD', 'COLUMN')) return { kind: 'add', column: this.identifier(), type: this.identifier() };
    if (this.accept('DROP', 'COLUMN')) return { kind: 'drop', column: this.identifier() };
    if (!this.accept('RENAME', 'COLUMN')) throw this.unexpected('The sandbox adds, drops and renames columns only');
    const column = this.identifier();
    this.expect('TO');
    return { kind: 'rename', column, to: this.identifier() };
  }

  #transaction(kind: 'begin' | 'commit' | 'rollback', at: number): Statement {
    this.accept('TRANSACTION');
    if (kind === 'begin' && !this.isAtEnd && !this.is(';'))
      throw new SqlError('The sandbox does not support BEGIN … END blocks', { at });
    return { kind, at };
  }

  #assert(at: number): Statement {
    const condition = this.expression();
    if (!this.accept('AS')) return { kind: 'assert', condition, description: null, at };
    if (this.token.kind !== 'string') throw this.unexpected('Expected string literal');
    return { kind: 'assert', condition, description: this.next().text, at };
  }

  #insert(at: number): Statement {
    this.accept('INTO');
    const table = this.tableName();
    const columns = this.accept('(') ? this.commaSeparated(() => this.identifier()) : [];
    if (columns.length > 0) this.expect(')');
    if (!this.accept('VALUES')) return { kind: 'insert', table, columns, source: this.query(), at };
    return { kind: 'insert', table, columns, source: this.commaSeparated(() => this.#values()), at };
  }

  #values(): Expression[] {
    this.expect('(');
    const values = this.commaSeparated(() => this.expression());
    this.expect(')');
    return values;
  }

  #delete(at: number): Statement {
    this.accept('FROM');
    const table = this.tableName();
    const alias = this.alias();
    if (!this.is('WHERE')) throw new SqlError('DELETE must have a WHERE clause', { at });
    return { kind: 'delete', table, alias, where: this.#where(), at };
  }

  #update(at: number): Statement {
    const table = this.tableName();
    const alias = this.alias();
    this.expect('SET');
    const assignments = this.commaSeparated(() => this.#assignment());
    if (!this.is('WHERE')) throw new SqlError('UPDATE must have a WHERE clause', { at });
    return { kind: 'update', table, alias, assignments, where: this.#where(), at };
  }

  #where(): Expression {
    this.expect('WHERE');
    return this.expression();
  }

  #assignment(): Assignment {
    const { at } = this.token;
    const column = this.identifier();
    this.expect('=');
    return { column, value: this.expression(), at };
  }
}
