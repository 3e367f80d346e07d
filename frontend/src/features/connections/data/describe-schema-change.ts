import type { SchemaChange } from '~/api/types';

/** What changed, as a sentence without its columns. */
export function describeSchemaChange({
  kind,
  stream,
  targetTable,
}: Pick<SchemaChange, 'kind' | 'stream' | 'targetTable'>): string {
  const texts: Record<SchemaChange['kind'], string> = {
    stream_added: `New stream ${stream}`,
    stream_removed: `The source no longer offers the stream ${stream}`,
    columns_added: `New columns of ${stream}`,
    columns_removed: `The source no longer offers columns of ${stream}`,
    types_changed: `The source changed types of ${stream}`,
    table_changed: `Columns of the table ${targetTable} have another type`,
    table_columns_lost: `Columns of the table ${targetTable} were dropped, renamed or replaced`,
  };
  return texts[kind];
}

/** What follows from the change, or from the decision about it. */
export function describeConsequence({ kind, state, decidedBy }: Pick<SchemaChange, 'kind' | 'state' | 'decidedBy'>): string {
  if (state === 'approved') return `Approved by ${decidedBy ?? 'a former user'}.`;
  if (state === 'ignored') return `Ignored by ${decidedBy ?? 'a former user'}.`;
  if (state === 'reverted') return 'Undone: the difference no longer exists.';
  if (kind === 'table_columns_lost') return 'Created again and filled for all days.';
  if (state === 'applied' && kind === 'table_changed') return 'Fixed by a re-sync.';
  if (state === 'applied') return 'Applied automatically.';
  if (kind === 'table_changed') return 'Every run fails until the types are restored or the stream is re-synced.';
  if (kind === 'stream_removed') return 'Every run fails until the stream is removed from the connection.';
  if (kind === 'columns_added') return 'Excluded until approved. Approving loads all days of the stream with them.';
  return kind === 'stream_added' ? 'Not loaded until approved. Approving loads its full history.' : 'Waits for your decision.';
}
