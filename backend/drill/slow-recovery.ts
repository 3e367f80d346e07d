import type { Pair } from './pairs.js';
import { nameOf } from './pairs.js';
import type { Scene } from './scene.js';

interface LogLine {
  seconds: number;
  message: string;
  request: { status: number | null; durationMs: number } | null;
}

/** Prints the log of the run that succeeded last in a round: what it waited for. */
export async function printSlowest(scene: Scene, pairs: Pair[], since: Date): Promise<void> {
  const [slowest] = await scene.query<{ id: string; connection: string }>(
    `select id, connection_id as connection from runs where organization_id = $1 and queued_at >= $2
      order by ended_at desc nulls first limit 1`,
    [scene.organizationId, since],
  );
  if (!slowest) return;
  const lines = await scene.query<LogLine>(
    `select extract(epoch from at - $2::timestamptz)::float8 as seconds, message, request from run_log_entries
      where run_id = $1 order by id`,
    [slowest.id, since],
  );
  const pair = pairs.find(({ connectionId }) => connectionId === slowest.connection);
  console.log(`   the last run of this round, ${pair ? nameOf(pair) : slowest.connection}:`);
  for (const { seconds, message, request } of lines) {
    const answer = request ? ` ${request.status ?? 'no answer'} after ${request.durationMs} ms` : '';
    console.log(`   ${seconds.toFixed(1).padStart(6)} s  ${message.slice(0, 140)}${answer}`);
  }
}
