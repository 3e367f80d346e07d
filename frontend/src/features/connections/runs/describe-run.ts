import type { RunKind, RunSummary } from '~/api/types';
import { runTable } from '~/domain/connections/connection-state';
import { formatDayRange } from '~/lib/dates';
import { formatDuration } from '~/lib/durations';
import { formatCount } from '~/lib/numbers';

export const kindWords: Record<RunKind, string> = {
  scheduled: 'Scheduled',
  manual: 'Manual',
  backfill: 'Backfill',
  catch_up: 'Catch-up',
  repair: 'Repair',
  test: 'Test',
};

/** `Nov 13 – 20`; before it is planned a run has no window. */
export const windowText = ({ window }: RunSummary, now: Date): string =>
  window ? formatDayRange(window.from, window.to, now) : '—';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** One line on what is worth knowing of a run. */
export function noteOf(run: RunSummary): string {
  if (run.isStuck) return 'No progress for 2 minutes';
  if (run.hasFollowUp) return 'A manual run follows';
  if (run.failure) return run.state === 'failed' ? capital(run.failure.class) : run.failure.message;
  if (run.verify && !run.verify.rows)
    return `${formatCount(run.verify.found.rows)} of ${formatCount(run.verify.expected.rows)} rows found`;
  if (run.verify && !run.verify.cost) return 'Cost differs at both ends';
  if (run.quotaWaitMs > 60_000) return `Waited ${formatDuration(run.quotaWaitMs)} for quota`;
  if (run.state === 'succeeded') return run.verify ? 'Equal at both ends' : '';
  return runTable[run.state].isActive ? 'Under way' : '';
}

export interface FoldedRun {
  first: RunSummary;
  runs: RunSummary[];
}

/** From this many alike in a row, runs fold into one line. */
const FOLD_FROM = 4;

const alike = (one: RunSummary, other: RunSummary): boolean =>
  one.state === other.state && one.kind === other.kind && noteOf(one) === noteOf(other) && !runTable[one.state].isActive;

/** Runs of one day, newest first; four or more alike become one line. */
export function foldRuns(runs: readonly RunSummary[]): FoldedRun[] {
  const groups: FoldedRun[] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (last && alike(last.first, run)) last.runs.push(run);
    else groups.push({ first: run, runs: [run] });
  }
  return groups.flatMap((group) =>
    group.runs.length >= FOLD_FROM ? [group] : group.runs.map((run) => ({ first: run, runs: [run] })),
  );
}
