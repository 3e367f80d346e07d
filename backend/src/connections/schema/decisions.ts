import type { SchemaChangeKind } from '../../generated/prisma/client.js';

type Decision = 'approve' | 'ignore';

/**
 * What a user can decide. Only additions can be ignored: nothing can bring back what the source no longer offers, and a changed
 * table must be restored, because its runs would otherwise lose a column.
 */
const ACTIONS: Record<SchemaChangeKind, Decision[]> = {
  stream_added: ['approve', 'ignore'],
  columns_added: ['approve', 'ignore'],
  stream_removed: ['approve'],
  columns_removed: ['approve'],
  types_changed: ['approve'],
  table_changed: [],
  table_columns_lost: [],
};

export const actionsOf = (kind: SchemaChangeKind): Decision[] => ACTIONS[kind];
