import type { LogLine, Run } from '~/api/types';

/**
 * The newest lines of a run without a gap between them, newest first. Of a long log, the run also has earlier warnings and errors:
 * no line is missing from the oldest other line on.
 */
export function continuousPage({ log, olderLogCursor }: Pick<Run, 'log' | 'olderLogCursor'>) {
  const start = olderLogCursor === null ? 0 : log.findIndex(({ level }) => level === 'info');
  return { items: start < 0 ? [] : log.slice(start).toReversed(), nextCursor: olderLogCursor };
}

/** Every line once, oldest first. */
export const inOrder = (lines: readonly LogLine[]): LogLine[] =>
  [...new Map(lines.map((line) => [line.position, line])).values()].toSorted(
    (one, other) => Number(one.position) - Number(other.position),
  );
