/** The supported part of GoogleSQL, as a tree. `at` is an offset in the text, for error messages. */
export type Expression = { at: number } & (
  | { kind: 'literal'; type: 'INT64' | 'FLOAT64' | 'STRING' | 'BOOL' | 'DATE' | 'TIMESTAMP' | 'NULL'; text: string }
  | { kind: 'parameter'; name: string }
  | { kind: 'variable'; name: string }
  | { kind: 'column'; path: string[] }
  | { kind: 'call'; name: string; args: Expression[]; isDistinct: boolean; isStar: boolean }
  | { kind: 'cast'; operand: Expression; type: string; isSafe: boolean }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  | { kind: 'not'; operand: Expression }
  | { kind: 'negative'; operand: Expression }
  | { kind: 'between'; operand: Expression; low: Expression; high: Expression; isNegated: boolean }
  | { kind: 'in'; operand: Expression; list: Expression[] | Query; isNegated: boolean }
  | { kind: 'is'; operand: Expression; value: 'NULL' | 'TRUE' | 'FALSE'; isNegated: boolean }
  | { kind: 'case'; operand: Expression | null; branches: { when: Expression; then: Expression }[]; otherwise: Expression | null }
  | { kind: 'interval'; amount: Expression; unit: string }
  | { kind: 'subquery'; query: Query }
  | { kind: 'exists'; query: Query }
);

export interface SelectItem {
  /** `*` or `alias.*` when null. */
  expression: Expression | null;
  alias: string | null;
  at: number;
}

export type FromItem =
  | { kind: 'table'; path: string[]; alias: string | null; at: number }
  | { kind: 'query'; query: Query; alias: string | null; at: number };

export interface Join {
  item: FromItem;
  type: 'INNER' | 'LEFT' | 'CROSS';
  condition: Expression | null;
}

export interface Select {
  isDistinct: boolean;
  items: SelectItem[];
  from: FromItem | null;
  joins: Join[];
  where: Expression | null;
  groupBy: Expression[];
  having: Expression | null;
}

export interface Query {
  /** Several are joined by UNION ALL. */
  selects: Select[];
  orderBy: { expression: Expression; isDescending: boolean }[];
  limit: Expression | null;
  offset: Expression | null;
  at: number;
}

export interface Assignment {
  column: string;
  value: Expression;
  at: number;
}

export interface TableName {
  path: string[];
  at: number;
}

export type ColumnChange =
  | { kind: 'add'; column: string; type: string }
  | { kind: 'drop'; column: string }
  | { kind: 'rename'; column: string; to: string };

/** A value in OPTIONS: text, a number, a truth value, or a list of such values or of pairs. */
export type OptionValue = string | number | boolean | null | OptionValue[];

export interface ColumnDefinition {
  name: string;
  type: string;
  isRequired: boolean;
  description: string | null;
}

/** CREATE OR REPLACE TABLE … AS SELECT. */
export interface TableCreation {
  table: TableName;
  columns: ColumnDefinition[];
  primaryKey: string[];
  partition: { column: string; unit: string } | null;
  cluster: string[];
  options: Map<string, OptionValue>;
  source: Query;
}

export type Statement = { at: number } & (
  | { kind: 'query'; query: Query }
  | { kind: 'begin' }
  | { kind: 'commit' }
  | { kind: 'rollback' }
  | { kind: 'assert'; condition: Expression; description: string | null }
  | { kind: 'insert'; table: TableName; columns: string[]; source: Query | Expression[][] }
  | { kind: 'delete'; table: TableName; alias: string | null; where: Expression }
  | { kind: 'update'; table: TableName; alias: string | null; assignments: Assignment[]; where: Expression }
  | { kind: 'truncate'; table: TableName }
  | { kind: 'alter'; table: TableName; changes: ColumnChange[] }
  | ({ kind: 'create' } & TableCreation)
);
