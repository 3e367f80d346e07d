/** Runs whose workers died are resumed one after the other, in this queue. */
const SUSPECTS = 'suspected-runs';
/** From here on a run is resumed while no other suspected run is active, so that the next death says whose fault it is. */
const SUSPECTED_AFTER_DEATHS = 2;
/** From here on a run is not resumed any more: it fails. */
export const MAX_WORKER_DEATHS = 4;

const PREFIX = 'run:';

export const runJobKey = (runId: string): string => `${PREFIX}${runId}`;

/** Null for the key of another job. */
export const runIdOf = (jobKey: string): string | null => (jobKey.startsWith(PREFIX) ? jobKey.slice(PREFIX.length) : null);

export const isSuspected = (workerDeaths: number): boolean => workerDeaths >= SUSPECTED_AFTER_DEATHS;

/** The queue that a run's job goes to; undefined for one that runs beside others. */
export const runQueue = (workerDeaths: number): string | undefined => (isSuspected(workerDeaths) ? SUSPECTS : undefined);
