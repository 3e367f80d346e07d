/** Consecutive transient errors before a run or one of its slices fails. With the waits below this takes about an hour. */
export const MAX_FAULTS = 11;
/** Most transient errors are over at once: a lost connection, a restart of a database. */
const FIRST_WAIT_SECONDS = 1;
const SECOND_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 900;

/** Seconds to wait after a transient error that follows `faults` earlier ones. */
export const waitSeconds = (faults: number): number =>
  faults === 0 ? FIRST_WAIT_SECONDS : Math.min(LONGEST_WAIT_SECONDS, SECOND_WAIT_SECONDS * 2 ** (faults - 1));
