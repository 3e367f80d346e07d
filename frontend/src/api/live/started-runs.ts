/** Runs that the user started on this page. Their end is reported, wherever the user is then. */
const started = new Set<string>();

/** A run that was active already, and is followed by the requested one, was not started by the user. */
export function rememberRun<Run extends { id: string; hasFollowUp: boolean }>(run: Run): Run {
  if (!run.hasFollowUp) started.add(run.id);
  return run;
}

/** Whether the user started the run. True once. */
export const takeStarted = (runId: string): boolean => started.delete(runId);
