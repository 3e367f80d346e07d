/** A query error, in BigQuery's words. */
export class SqlError extends Error {
  readonly reason: 'invalidQuery' | 'notFound' | 'duplicate' | 'accessDenied';
  /** Offset in the text of the query; null if BigQuery gives no position. */
  readonly at: number | null;

  constructor(message: string, options: { at?: number; reason?: SqlError['reason'] } = {}) {
    super(message);
    this.reason = options.reason ?? 'invalidQuery';
    this.at = options.at ?? null;
  }
}

/** A position in BigQuery's format: line and column, both from 1. */
export function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `[${before.length}:${(before.at(-1)?.length ?? 0) + 1}]`;
}
