import type { RunKind, RunSummary } from '~/api/types';
import { runTable } from '~/domain/connections/connection-state';
import { daysBetween, formatDayRange } from '~/lib/dates';
import { formatDuration } from '~/lib/durations';
import { formatCount, plural } from '~/lib/numbers';

const kindWords: Record<RunKind, string> = {
  scheduled: 'Scheduled',
  manual: 'Manual',
  backfill: 'Backfill',
  catch_up: 'Catch-up',
  repair: 'Repair',
  test: 'Test',
};

/** An initial load is what it is, whatever requested it: the first run of a new connection, or a later one after it failed. */
export const kindText = ({ kind, isInitialLoad }: Pick<RunSummary, 'kind' | 'isInitialLoad'>): string =>
  isInitialLoad ? 'Initial load' : kindWords[kind];

export const isEnded = ({ state }: Pick<RunSummary, 'state'>): boolean => !runTable[state].isActive;

/** The run that ended last. A later run can end before an earlier one, because backfills and repairs run beside the regular runs. */
export const lastEnded = (runs: readonly RunSummary[]): RunSummary | undefined =>
  runs.filter(isEnded).reduce<RunSummary | undefined>((last, run) => (last && endOf(last) >= endOf(run) ? last : run), undefined);

const endOf = ({ endedAt, queuedAt }: RunSummary): number => Date.parse(endedAt ?? queuedAt);

/** `Nov 13 – 20`, or `3 days in Nov 13 – 20` if it does not load all of them. A run has no window before it is planned. */
export function windowText({ window }: Pick<RunSummary, 'window'>, now: Date): string {
  if (!window) return '—';
  const { from, to, days } = window;
  const range = formatDayRange(from, to, now);
  return days > 0 && days <= daysBetween(from, to) ? `${plural(days, 'day')} in ${range}` : range;
}

/**
 * One-line note about a run.
 * @param noticed the message of a failure that the page shows above, which is not repeated
 */
export function noteOf(run: RunSummary, noticed: string | null = null): string {
  if (run.isStuck) return 'No progress for 2 minutes';
  if (run.hasFollowUp) return 'A manual run follows';
  if (run.failure) return run.failure.message === noticed ? 'Reason above' : run.failure.message;
  if (run.verify && !run.verify.rows)
    return `${formatCount(run.verify.found.rows)} of ${formatCount(run.verify.expected.rows)} rows found`;
  if (run.verify && !run.verify.cost) return 'Cost differs between source and destination';
  if (run.quotaWaitMs > 60_000) return `Waited ${formatDuration(run.quotaWaitMs)} for quota`;
  if (run.state === 'succeeded') return run.verify ? 'Source and destination match' : '';
  return runTable[run.state].isActive ? 'In progress' : '';
}

/** What the run achieved, where its state is shown beside it. */
export function resultOf(run: RunSummary, noticed: string | null = null): string {
  const { verify, failure } = run;
  if (verify?.rows && verify.cost && !failure)
    return `${formatCount(verify.found.rows)} of ${formatCount(verify.expected.rows)} rows counted at the destination`;
  return noteOf(run, noticed);
}

export interface FoldedRun {
  first: RunSummary;
  runs: RunSummary[];
}

/** Minimum number of consecutive equal runs that fold into one row. */
const FOLD_FROM = 4;

const areEqual = (one: RunSummary, other: RunSummary): boolean =>
  one.state === other.state &&
  kindText(one) === kindText(other) &&
  noteOf(one) === noteOf(other) &&
  !runTable[one.state].isActive;

export interface RunTotals {
  rowsWritten: string;
  rowsRejected: string;
  apiCalls: string;
}

/** The counts of one run, or of all folded ones. Skipped runs, which fold only with each other, loaded nothing. */
export function totalsOf(runs: readonly RunSummary[]): RunTotals {
  const total = (countOf: (run: RunSummary) => number) => formatCount(runs.reduce((sum, run) => sum + countOf(run), 0));
  return {
    rowsWritten: runs[0]?.state === 'skipped' ? '—' : total((run) => run.rowsWritten),
    rowsRejected: total((run) => run.rowsRejected),
    apiCalls: total((run) => run.apiCalls),
  };
}

/** Folds runs of one day, newest first. Four or more equal consecutive runs become one row. */
export function foldRuns(runs: readonly RunSummary[]): FoldedRun[] {
  const groups: FoldedRun[] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (last && areEqual(last.first, run)) last.runs.push(run);
    else groups.push({ first: run, runs: [run] });
  }
  return groups.flatMap((group) =>
    group.runs.length >= FOLD_FROM ? [group] : group.runs.map((run) => ({ first: run, runs: [run] })),
  );
}
