import { IsIn } from 'class-validator';
import type { ColumnType } from '../../connectors/kit/contract.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';
import { PageQuery } from '../../core/http/page.dto.js';

export const SCHEMA_POLICIES = ['propagate_all', 'propagate_columns', 'approve', 'pause'] as const;
export type SchemaPolicyName = (typeof SCHEMA_POLICIES)[number];

export const EMPTY_POLICIES = ['expect_rows', 'allow_empty'] as const;
export type EmptyPolicyName = (typeof EMPTY_POLICIES)[number];

export const SCHEMA_CHANGE_STATES = ['pending', 'approved', 'ignored', 'applied', 'reverted'] as const;

export class SchemaField {
  name: string;
  /** `text`, `bigint`, `double`, `date` or `boolean`. */
  type: ColumnType;
  description: string;
  /** Why the field is always written: `key`, `proof` or `money`; null if it can be excluded. */
  need: 'key' | 'proof' | 'money' | null;
  /** False if the connection excludes it. */
  isSelected: boolean;
  /** Whether it can be stored as a hash. */
  canHash: boolean;
  /** Stored as a SHA-256 hash. */
  isHashed: boolean;
}

export class SchemaStream {
  name: string;
  title: string;
  description: string;
  isSelected: boolean;
  /** Table or event at the destination. */
  targetTable: string;
  fields: SchemaField[];
}

/** What the source offers now, and what the connection writes of it. */
export class ConnectionSchema {
  streams: SchemaStream[];
  /** Why the destination cannot re-sync a stream; null: it can. */
  resyncRefusal: string | null;
  /** The version of the connection, for a change of its hashed fields. */
  version: number;
}

export class SchemaChangesQuery extends PageQuery {
  /** Only changes in this state. */
  @MayBeMissing()
  @IsIn(SCHEMA_CHANGE_STATES)
  state?: (typeof SCHEMA_CHANGE_STATES)[number];
}

/** A changed column. */
export class SchemaChangeColumn {
  column: string;
  /** The previous type; null for a new column. */
  before: string | null;
  /** The present type; null for a column that is gone. */
  after: string | null;
}

/** A difference between what a run found and what the connection wrote before. */
export class SchemaChangeEntry {
  id: string;
  stream: string;
  /** Table or event at the destination. */
  targetTable: string;
  /**
   * At the source: `stream_added`, `stream_removed`, `columns_added`, `columns_removed`, `types_changed`. At the destination:
   * `table_changed` (every run fails until the change is undone) and `table_columns_lost` (loaded again automatically).
   */
  kind:
    | 'stream_added'
    | 'stream_removed'
    | 'columns_added'
    | 'columns_removed'
    | 'types_changed'
    | 'table_changed'
    | 'table_columns_lost';
  /** Empty if the whole stream was added or removed. */
  columns: SchemaChangeColumn[];
  /** Whether queries of the table can fail or runs fail because of it. */
  isBreaking: boolean;
  /** `applied`: by the policy or by a change of the settings. `reverted`: the difference no longer exists. */
  state: 'pending' | 'approved' | 'ignored' | 'applied' | 'reverted';
  /** Possible decisions; empty if the change is decided, or must be undone at the destination. */
  actions: ('approve' | 'ignore')[];
  detectedAt: string;
  decidedAt: string | null;
  /** Name of the user who decided; null for a policy. */
  decidedBy: string | null;
  /** The run that found it. */
  runId: string;
}

export class SchemaChangePage {
  items: SchemaChangeEntry[];
  nextCursor: string | null;
}
