import { QueryParser } from './query-parser.ts';
import type { ColumnDefinition, OptionValue, TableCreation } from './syntax.ts';

type Definitions = Pick<TableCreation, 'columns' | 'primaryKey'>;

/**
 * Parses CREATE OR REPLACE TABLE with a list of columns and AS SELECT.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/data-definition-language#create_table_statement
 */
export abstract class CreationParser extends QueryParser {
  /** The part after CREATE. */
  protected creation(): TableCreation {
    this.expect('OR', 'REPLACE', 'TABLE');
    const table = this.tableName();
    const definitions = this.#definitions();
    const partition = this.accept('PARTITION', 'BY') ? this.#partition() : null;
    const cluster = this.accept('CLUSTER', 'BY') ? this.commaSeparated(() => this.identifier()) : [];
    const options = this.#options();
    this.expect('AS');
    return { table, ...definitions, partition, cluster, options, source: this.query() };
  }

  #definitions(): Definitions {
    const definitions: Definitions = { columns: [], primaryKey: [] };
    this.expect('(');
    this.commaSeparated(() => {
      if (!this.accept('PRIMARY', 'KEY')) return definitions.columns.push(this.#column());
      definitions.primaryKey = this.#names();
      return this.expect('NOT', 'ENFORCED');
    });
    this.expect(')');
    return definitions;
  }

  #column(): ColumnDefinition {
    const name = this.identifier();
    const type = this.identifier().toUpperCase();
    const isRequired = this.accept('NOT', 'NULL');
    const description = this.#options().get('description');
    return { name, type, isRequired, description: typeof description === 'string' ? description : null };
  }

  /** A DATE column alone partitions by day. */
  #partition(): TableCreation['partition'] {
    if (!this.accept('DATE_TRUNC', '(')) return { column: this.identifier(), unit: 'DAY' };
    const column = this.identifier();
    this.expect(',');
    const unit = this.identifier().toUpperCase();
    this.expect(')');
    return { column, unit };
  }

  #names(): string[] {
    this.expect('(');
    const names = this.commaSeparated(() => this.identifier());
    this.expect(')');
    return names;
  }

  #options(): TableCreation['options'] {
    const options: TableCreation['options'] = new Map();
    if (!this.accept('OPTIONS', '(')) return options;
    this.commaSeparated(() => {
      const name = this.identifier().toLowerCase();
      this.expect('=');
      options.set(name, this.#value());
    });
    this.expect(')');
    return options;
  }

  #value(): OptionValue {
    for (const [open, close] of [
      ['[', ']'],
      ['(', ')'],
    ] as const) {
      if (!this.accept(open)) continue;
      const values = this.is(close) ? [] : this.commaSeparated(() => this.#value());
      this.expect(close);
      return values;
    }
    if (this.accept('TRUE')) return true;
    if (this.accept('FALSE')) return false;
    if (this.accept('NULL')) return null;
    this.accept('TIMESTAMP');
    if (this.token.kind === 'string') return this.next().text;
    if (this.token.kind === 'integer' || this.token.kind === 'float') return Number(this.next().text);
    throw this.unexpected('Expected a constant');
  }
}
