import { z } from 'zod';
import { defineJob } from '../../core/jobs/define-job.js';

export const runSync = defineJob('run-sync', z.object({ organizationId: z.uuid(), runId: z.uuid() }), { slots: 'runs' });

/** Runs whose workers crashed are resumed one after the other, in this queue. */
export const SUSPECTS = 'suspected-runs';
/** From this number on, a run is resumed while no other suspected run is active, so that the next crash identifies its cause. */
export const SUSPECTED_AFTER_DEATHS = 2;
/** From this number on, a run is not resumed: it fails. */
export const MAX_WORKER_DEATHS = 4;

/** The key of a run's job is this prefix and the run's id. */
export const RUN_KEY_PREFIX = 'run:';

export const isSuspected = (workerDeaths: number): boolean => workerDeaths >= SUSPECTED_AFTER_DEATHS;
