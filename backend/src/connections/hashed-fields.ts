import type { Stream } from '../connectors/kit/contract.js';
import { canHash, type HashedColumns } from '../connectors/kit/rows/hashed-columns.js';
import { Problem } from '../core/http/problem.js';
import { unknownColumn, unknownStreams } from './excluded-columns.js';
import type { HashedFields } from './hashed-fields.dto.js';

/** Returns the stored form. Rejects columns that the stream does not have or that cannot be hashed. */
export function readHashedFields(streams: Stream[], wanted: HashedFields[] = []): HashedColumns {
  return Object.fromEntries(
    wanted.flatMap(({ stream: name, columns }) => {
      const stream = streams.find((one) => one.name === name);
      if (!stream) throw unknownStreams([name]);
      for (const column of columns) assertHashable(stream, column);
      return columns.length > 0 ? [[name, columns.toSorted()]] : [];
    }),
  );
}

/** Whether a column is hashed now that was not, or the reverse. */
export function hashesOther(before: HashedColumns, after: HashedColumns): boolean {
  const textOf = (hashed: HashedColumns) =>
    Object.entries(hashed)
      .flatMap(([stream, columns = []]) => columns.map((column) => `${stream} ${column}`))
      .sort()
      .join();
  return textOf(before) !== textOf(after);
}

function assertHashable(stream: Stream, column: string): void {
  if (!stream.columns.some(({ name }) => name === column)) throw unknownColumn(stream, column);
  if (canHash(stream, column)) return;
  throw new Problem('connection.unhashable_column', {
    detail: `${column} of ${stream.name} is not a text, or it identifies rows or contains their currency.`,
    action: 'Choose a text column that does not identify rows',
  });
}
