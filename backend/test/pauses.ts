interface Queries {
  query: (sql: string) => Promise<unknown>;
}

/** Ends the pauses of runs: of slices that wait, of apps that a platform throttles, and of queued jobs. */
export async function endPauses({ query }: Queries): Promise<void> {
  await query('update run_slices set resume_at = now() where resume_at > now()');
  await query('update apps set quota_paused_until = null where quota_paused_until is not null');
  await query(`update graphile_worker._private_jobs set run_at = now() where key like 'run:%' and run_at > now()`);
}
