import type { ColumnType, Stream } from '../../connectors/kit/contract.js';
import { needOf } from '../../connectors/kit/rows/excluded-columns.js';
import type { SchemaChangeKind } from '../../generated/prisma/client.js';
import { z } from 'zod';
import { jsonColumn } from '../../core/database/json-column.js';

/** Types of the columns by stream and column, as a source offers them. */
export type OfferedStreams = Record<string, Record<string, ColumnType>>;

/** A column with its types before and after a change; null where it does not exist. */
export interface ColumnDifference {
  column: string;
  before: string | null;
  after: string | null;
}

/** `schema_changes.diff` */
export const differencesColumn = jsonColumn<ColumnDifference[]>(
  z.array(z.object({ column: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
);

export interface SchemaDifference {
  stream: string;
  kind: SchemaChangeKind;
  /** Empty if the whole stream was added or removed. */
  diff: ColumnDifference[];
  isBreaking: boolean;
}

export const offeredStreamsOf = (streams: Stream[]): OfferedStreams =>
  Object.fromEntries(streams.map(({ name, columns }) => [name, Object.fromEntries(columns.map((one) => [one.name, one.type]))]));

export function isSameSchema(before: OfferedStreams, after: OfferedStreams): boolean {
  const names = Object.keys(after);
  return names.length === Object.keys(before).length && names.every((name) => columnsDiffer(before[name], after[name]) === false);
}

function columnsDiffer(before: Record<string, ColumnType> | undefined, after: Record<string, ColumnType> = {}): boolean {
  const names = Object.keys(after);
  return !before || names.length !== Object.keys(before).length || names.some((name) => before[name] !== after[name]);
}

/**
 * Differences that concern a connection: every new stream, and of the selected streams those that are gone and those with other
 * columns.
 */
export function findDifferences(before: OfferedStreams, streams: Stream[], selected: string[]): SchemaDifference[] {
  const offered = streams.map(({ name }) => name);
  const removed = selected.filter((name) => before[name] && !offered.includes(name));
  return [
    ...removed.map((stream) => ({ stream, kind: 'stream_removed' as const, diff: [], isBreaking: true })),
    ...streams.flatMap((stream) => {
      const known = before[stream.name];
      const isSelected = selected.includes(stream.name);
      if (known) return isSelected ? columnDifferences(known, stream) : [];
      return isSelected ? [] : [{ stream: stream.name, kind: 'stream_added' as const, diff: [], isBreaking: false }];
    }),
  ];
}

function columnDifferences(known: Record<string, ColumnType>, stream: Stream): SchemaDifference[] {
  const now = Object.fromEntries(stream.columns.map(({ name, type }) => [name, type]));
  const names = [...new Set([...Object.keys(known), ...Object.keys(now)])];
  const diff = names
    .map((column) => ({ column, before: known[column] ?? null, after: now[column] ?? null }))
    .filter(({ before, after }) => before !== after);
  const added = diff.filter(({ before }) => before === null);
  const removed = diff.filter(({ after }) => after === null);
  const retyped = diff.filter(({ before, after }) => before !== null && after !== null);
  const isKeyAdded = added.some(({ column }) => needOf(stream, column) === 'key');
  return [
    { stream: stream.name, kind: 'columns_added' as const, diff: added, isBreaking: isKeyAdded },
    { stream: stream.name, kind: 'columns_removed' as const, diff: removed, isBreaking: true },
    { stream: stream.name, kind: 'types_changed' as const, diff: retyped, isBreaking: true },
  ].filter((difference) => difference.diff.length > 0);
}

/** A sentence for the run's log. */
export function describeDifference({ stream, kind, diff }: SchemaDifference): string {
  const columns = diff.map(({ column }) => column).join(', ');
  const texts: Record<SchemaChangeKind, string> = {
    stream_added: `The source offers the new stream ${stream}.`,
    stream_removed: `The source no longer offers the stream ${stream}.`,
    columns_added: `The source offers new columns of ${stream}: ${columns}.`,
    columns_removed: `The source no longer offers these columns of ${stream}: ${columns}.`,
    types_changed: `The source changed the types of these columns of ${stream}: ${columns}.`,
    table_changed: `The table of ${stream} has other types in these columns: ${columns}.`,
    table_columns_lost: `The table of ${stream} lost the values of these columns: ${columns}.`,
  };
  return texts[kind];
}
