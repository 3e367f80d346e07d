/** Consecutive transient errors before a run or one of its slices fails. With the waits below this takes about an hour. */
export const MAX_FAULTS = 10;
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 900;

/** Seconds to wait after a transient error that follows `faults` earlier ones. */
export const waitSeconds = (faults: number): number => Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** faults);
