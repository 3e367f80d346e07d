/** Transient errors in a row before a run, or one of its slices, is given up; with the waits below about an hour. */
export const MAX_FAULTS = 10;
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 900;

/** How long to wait after a transient error, when `faults` came before it. */
export const waitSeconds = (faults: number): number => Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** faults);
