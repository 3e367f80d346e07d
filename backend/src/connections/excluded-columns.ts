import type { Stream } from '../connectors/kit/contract.js';
import { type ExcludedColumns, type Need, needOf } from '../connectors/kit/rows/excluded-columns.js';
import { Problem } from '../core/http/problem.js';
import type { LeftOutColumns } from './excluded-columns.dto.js';

const reasons: Record<Need, string> = {
  key: 'identifies rows',
  proof: 'verifies that all rows have arrived',
  money: 'contains the currency of the amounts',
};

/** Returns the stored form. Rejects columns that the stream does not have or that are required. */
export function readExcludedColumns(streams: Stream[], wanted: LeftOutColumns[] = []): ExcludedColumns {
  return Object.fromEntries(
    wanted.flatMap(({ stream: name, columns }) => {
      const stream = streams.find((one) => one.name === name);
      if (!stream) throw unknownStreams([name]);
      for (const column of columns) assertSpare(stream, column);
      return columns.length > 0 ? [[name, columns]] : [];
    }),
  );
}

/** Whether a column is no longer excluded. It is empty on the days loaded so far. */
export const includesMore = (before: ExcludedColumns, after: ExcludedColumns): boolean =>
  Object.entries(before).some(([stream, columns = []]) => columns.some((column) => !after[stream]?.includes(column)));

function assertSpare(stream: Stream, column: string): void {
  if (!stream.columns.some(({ name }) => name === column)) throw unknownColumn(stream, column);
  const need = needOf(stream, column);
  if (need === null) return;
  throw new Problem('connection.needed_column', {
    detail: `${column} of ${stream.name} ${reasons[need]}.`,
    action: 'Keep the column',
  });
}

export const unknownColumn = ({ name }: Stream, column: string): Problem =>
  new Problem('connection.unknown_column', {
    detail: `${name} has no column ${column}.`,
    action: 'Choose a column of the catalog',
  });

export const unknownStreams = (names: string[]): Problem =>
  new Problem('connection.unknown_stream', {
    detail: `The source has no stream ${names.join(', ')}.`,
    action: 'Choose a stream of the catalog',
  });
