import type { Column, ColumnType } from '../../kit/contract.js';
import { quote } from './names.js';

/** Part of the comment of each table that Tributary creates. A table without it and without a registered id is foreign. */
export const TABLE_MARKER = 'Loaded by Tributary';

export const typeNames: Record<ColumnType, string> = {
  text: 'text',
  bigint: 'bigint',
  double: 'double precision',
  date: 'date',
  boolean: 'boolean',
};

export function columnDefinition(column: Column): string {
  return `${quote(column.name)} ${typeNames[column.type]}`;
}

export const tableComment = (description: string): string => `${description} ${TABLE_MARKER}.`;

/** Comments that users changed are preserved. */
export const isOurComment = (comment: string | null | undefined): boolean => !comment || comment.includes(TABLE_MARKER);
