import type { Column, ColumnType } from '../kit/contract.js';
import { quote } from './names.js';

/** Written by Tributary into the comment of each table it makes; a table without it and without a registered id is foreign. */
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

/** A comment written by users over ours stays. */
export const isOurComment = (comment: string | null | undefined): boolean => !comment || comment.includes(TABLE_MARKER);
