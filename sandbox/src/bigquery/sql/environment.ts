import type { ColumnChange } from './syntax.ts';
import type { SqlType, Typed } from './types.ts';

export interface ColumnInfo {
  name: string;
  type: SqlType;
  isRequired: boolean;
}

/** A stored table in a query. */
export interface TableInfo {
  /** `project.dataset.table`, used in messages. */
  name: string;
  /** Its name in SQLite. */
  storageName: string;
  columns: ColumnInfo[];
  /** The column that every query must filter, or null. */
  requiredFilter: string | null;
}

/** External access of a query during translation. */
export interface Environment {
  /** Throws SqlError for a table that does not exist, is in another location or is not visible. */
  findTable(path: string[], at: number, access: 'read' | 'write'): TableInfo;
  /** Changes the columns of a table. */
  alterTable(path: string[], at: number, changes: ColumnChange[]): void;
  parameters: Map<string, Typed>;
  /** Start of the query, in microseconds since 1970. */
  now: bigint;
  /** Number of rows changed by the script's last statement. */
  rowCount: bigint;
}

/** A named source of rows in FROM. */
export interface ScopeItem {
  alias: string;
  columns: { name: string; type: SqlType; sql: string }[];
}

export class Scope {
  readonly items: ScopeItem[] = [];
  readonly outer: Scope | null;

  constructor(outer: Scope | null) {
    this.outer = outer;
  }
}
