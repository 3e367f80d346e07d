import type { BackfillState } from '../generated/prisma/client.js';

/** Allowed changes of a backfill's state. Only `retry-failed` leads out of an end state. */
export const BACKFILL_TRANSITIONS: Record<BackfillState, readonly BackfillState[]> = {
  scheduled: ['running', 'paused', 'completed', 'cancelled'],
  running: ['paused', 'completed', 'completed_with_errors', 'failed', 'cancelled'],
  paused: ['scheduled', 'running', 'cancelled'],
  completed: [],
  completed_with_errors: ['running'],
  // Only a re-sync is canceled after its end: its new table is dropped.
  failed: ['running', 'cancelled'],
  cancelled: [],
};

/** States of a backfill whose days no other backfill may load. */
export const ACTIVE_BACKFILLS: BackfillState[] = ['scheduled', 'running', 'paused'];

/** States from which `to` can be reached. */
export const statesBefore = (to: BackfillState): BackfillState[] =>
  (Object.keys(BACKFILL_TRANSITIONS) as BackfillState[]).filter((from) => BACKFILL_TRANSITIONS[from].includes(to));
