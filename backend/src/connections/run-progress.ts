import type { RunProgress, RunSummary } from '../sync/index.js';

/** The active run of a connection as its list and its page show it. */
export function toProgress(run: RunSummary): RunProgress {
  const {
    id: runId,
    connectionId,
    kind,
    isStuck,
    state,
    step,
    slicesDone,
    slicesTotal,
    rowsRead,
    rowsWritten,
    apiCalls,
    quotaWaitMs,
    resumeAt,
    failure,
    startedAt,
  } = run;
  const seconds = startedAt ? Math.max(1, (Date.now() - Date.parse(startedAt)) / 1_000) : 1;
  return {
    runId, connectionId, kind, track: 'regular', isStuck, state, step, slicesDone, slicesTotal, rowsRead, rowsWritten, apiCalls, quotaWaitMs, resumeAt, startedAt,
    failure: state === 'waiting' ? failure : null,
    rowsPerSecond: Math.round(rowsRead / seconds),
    updatedAt: new Date().toISOString(),
  }; // prettier-ignore
}
