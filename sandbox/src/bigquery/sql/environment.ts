import type { ColumnChange } from './syntax.ts';
import type { SqlType, Typed } from './types.ts';

export interface ColumnInfo {
  name: string;
  type: SqlType;
  isRequired: boolean;
}

/** A stored table as a query meets it. */
export interface TableInfo {
  /** `project.dataset.table`, as messages name it. */
  name: string;
  /** What it is called in SQLite. */
  storageName: string;
  columns: ColumnInfo[];
  /** The column that every query has to narrow down, or null. */
  requiredFilter: string | null;
}

/** What a query may ask of the world while it is translated. */
export interface Environment {
  /** Throws SqlError for a table that is not there, lies elsewhere or may not be seen. */
  findTable(path: string[], at: number, access: 'read' | 'write'): TableInfo;
  /** Changes which columns a table has. */
  alterTable(path: string[], at: number, changes: ColumnChange[]): void;
  parameters: Map<string, Typed>;
  /** When the query began, in microseconds since 1970. */
  now: bigint;
  /** Rows the last statement of the script has changed. */
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
