/** What BigQuery finds wrong with a query, in its own words. */
export class SqlError extends Error {
  readonly reason: 'invalidQuery' | 'notFound' | 'duplicate' | 'accessDenied';
  /** Offset in the text of the query; null where BigQuery names no place. */
  readonly at: number | null;

  constructor(message: string, options: { at?: number; reason?: SqlError['reason'] } = {}) {
    super(message);
    this.reason = options.reason ?? 'invalidQuery';
    this.at = options.at ?? null;
  }
}

/** As BigQuery writes a place: line and column, both from 1. */
export function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `[${before.length}:${(before.at(-1)?.length ?? 0) + 1}]`;
}
