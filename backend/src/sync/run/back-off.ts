import type { RetryLater } from '../../connectors/kit/errors.js';

/** Consecutive transient errors before a run or one of its slices fails. With the waits below this takes about an hour. */
export const MAX_FAULTS = 11;
/** The same for a used-up quota: about a day, because quotas of a day reset within it. */
const MAX_QUOTA_FAULTS = 105;
/** Most transient errors are over at once: a lost connection, a restart of a database. */
const FIRST_WAIT_SECONDS = 1;
const SECOND_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 900;

/** Seconds to wait after a transient error that follows `faults` earlier ones. */
export const waitSeconds = (faults: number): number =>
  faults === 0 ? FIRST_WAIT_SECONDS : Math.min(LONGEST_WAIT_SECONDS, SECOND_WAIT_SECONDS * 2 ** (faults - 1));

/** At least as long as the platform asks for. A platform that rejects again after a short wait gets a longer one. */
export const retrySeconds = (error: RetryLater, faults: number): number =>
  Math.max(error.retryAfterSeconds ?? 0, waitSeconds(faults));

/** Consecutive errors of this kind before a run fails. A platform that names long waits needs fewer for the same time. */
export const retryLimit = ({ failureClass, retryAfterSeconds }: RetryLater): number =>
  failureClass === 'quota' && (retryAfterSeconds ?? 0) <= LONGEST_WAIT_SECONDS ? MAX_QUOTA_FAULTS : MAX_FAULTS;
