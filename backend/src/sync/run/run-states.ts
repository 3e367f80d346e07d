import type { RunState } from '../../generated/prisma/client.js';

/** Allowed changes of a run's state. An end state has none. */
export const RUN_TRANSITIONS: Record<RunState, readonly RunState[]> = {
  queued: ['running', 'cancelled', 'skipped'],
  // A run claimed from a crashed worker goes from running to running.
  running: ['running', 'waiting', 'verifying', 'partial', 'unverified', 'failed', 'cancelled', 'skipped'],
  waiting: ['running', 'failed', 'cancelled'],
  verifying: ['running', 'succeeded', 'partial', 'unverified', 'failed', 'cancelled'],
  succeeded: [],
  partial: [],
  unverified: [],
  failed: [],
  cancelled: [],
  skipped: [],
};

/** States from which `to` can be reached, for the `where` clause of the update. */
export const statesBefore = (to: RunState): RunState[] =>
  (Object.keys(RUN_TRANSITIONS) as RunState[]).filter((from) => RUN_TRANSITIONS[from].includes(to));

export const isActive = (state: RunState): boolean => RUN_TRANSITIONS[state].length > 0;

export const ACTIVE_STATES: RunState[] = (Object.keys(RUN_TRANSITIONS) as RunState[]).filter(isActive);
