/** Runs whose workers died are resumed one after the other, in this queue. */
export const SUSPECTS = 'suspected-runs';
/** From here on a run is resumed while no other suspected run is active, so that the next death says whose fault it is. */
export const SUSPECTED_AFTER_DEATHS = 2;
/** From here on a run is not resumed any more: it fails. */
export const MAX_WORKER_DEATHS = 4;

/** A run's job has this and the run's id as its key. */
export const RUN_KEY_PREFIX = 'run:';

/** Null for the key of another job. */
export const runIdOf = (jobKey: string): string | null =>
  jobKey.startsWith(RUN_KEY_PREFIX) ? jobKey.slice(RUN_KEY_PREFIX.length) : null;

export const isSuspected = (workerDeaths: number): boolean => workerDeaths >= SUSPECTED_AFTER_DEATHS;
