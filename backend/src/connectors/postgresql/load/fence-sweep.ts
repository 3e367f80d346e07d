import type pg from 'pg';
import { quote } from '../tables/names.js';

/** Older rows are deleted: no worker runs that long. */
const RETENTION_DAYS = 90;
/** Maximum rows per sweep, to keep it short. More than a destination gets in a day. */
const MOST_AT_ONCE = 50_000;
const DAY_MS = 86_400_000;

/** Time of the last sweep of each place by this process. */
const sweptAt = new Map<string, number>();

/**
 * Deletes old fences, at most once a day per process and separately from loading. Run ids begin with their creation time
 * (UUIDv7), so the primary key finds the old ones.
 */
export async function sweepFences(client: pg.ClientBase, place: string, schema: string, now = Date.now()): Promise<void> {
  if ((sweptAt.get(place) ?? 0) > now - DAY_MS) return;
  sweptAt.set(place, now);
  const cutoff = now - RETENTION_DAYS * DAY_MS;
  const runs = `${quote(schema)}._tributary_runs`;
  await client.query(
    `DELETE FROM ${runs} WHERE run_id IN (SELECT run_id FROM ${runs} WHERE run_id < $1 ORDER BY run_id LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED)
        AND loaded_at < to_timestamp($2)`,
    [firstIdOf(cutoff), cutoff / 1_000],
  );
}

/** The lowest UUIDv7 of a millisecond. */
function firstIdOf(ms: number): string {
  const hex = Math.floor(ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
