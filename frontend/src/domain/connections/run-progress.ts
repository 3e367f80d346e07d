import type { RunState } from './connection-state';

export type RunStep = 'plan' | 'extract' | 'stage' | 'load' | 'verify' | 'commit';

export const RUN_STEPS: readonly RunStep[] = ['plan', 'extract', 'stage', 'load', 'verify', 'commit'];

export const stepWord: Record<RunStep, string> = {
  plan: 'Plan',
  extract: 'Extract',
  stage: 'Stage',
  load: 'Load',
  verify: 'Verify',
  commit: 'Finalize',
};

export interface ProgressFacts {
  state: RunState;
  step: RunStep | null;
  slicesDone: number;
  slicesTotal: number;
  /** Why a waiting run waits; null for other runs. */
  failure: { class: string; code: string } | null;
}

const PLAN = 0;
const COMMIT = 5;

/**
 * The progress of each of the six steps, from 0 to 1. Extract to verify advance together, slice by slice. The current slice
 * counts for the steps that it has completed.
 */
export function stepFractions({ state, step, slicesDone, slicesTotal }: ProgressFacts): number[] {
  if (state === 'succeeded') return RUN_STEPS.map(() => 1);
  const current = step === null ? -1 : RUN_STEPS.indexOf(step);
  return RUN_STEPS.map((_, index) => {
    if (index === PLAN) return current > PLAN ? 1 : current === PLAN ? 0.5 : 0;
    if (index === COMMIT) return current === COMMIT ? 0.5 : 0;
    if (current === COMMIT) return 1;
    if (slicesTotal === 0 || current <= PLAN) return 0;
    const done = index < current ? slicesDone + 1 : slicesDone;
    return Math.min(1, done / slicesTotal);
  });
}

/** The progress of the whole run in whole percent. Only completed slices count. */
export const progressPercent = ({ state, slicesDone, slicesTotal }: Omit<ProgressFacts, 'failure'>): number =>
  state === 'succeeded' ? 100 : slicesTotal === 0 ? 0 : Math.min(100, Math.floor((slicesDone / slicesTotal) * 100));

/** What a waiting run waits for, from the failure that made it wait. */
function describeWait(failure: ProgressFacts['failure']): string {
  if (failure?.class === 'quota') return 'Waiting for quota';
  if (failure?.code.endsWith('.report_pending')) return 'Waiting for a report';
  return 'Waiting to retry';
}

/** `Load, 71%` */
export function describeProgress(facts: ProgressFacts): string {
  const percent = facts.step === null ? '' : `, ${progressPercent(facts)}%`;
  if (facts.state === 'waiting') return describeWait(facts.failure) + percent;
  return facts.state === 'queued' || facts.step === null ? 'Waiting for a worker' : stepWord[facts.step] + percent;
}
