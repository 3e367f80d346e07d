/** Longer than most requests and statements, short enough to react in time. */
export const STUCK_AFTER_SECONDS = 120;

/** SQL condition for a row `r` of runs: active without progress, with or without a heartbeat of its worker. */
export const IS_STUCK = `(r.state in ('running', 'verifying')
  and coalesce(r.progress_at, r.started_at) < now() - make_interval(secs => ${STUCK_AFTER_SECONDS}))`;
