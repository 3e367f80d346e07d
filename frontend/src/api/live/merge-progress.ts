import { runTable } from '~/domain/connections/connection-state';
import { isRecord } from '~/lib/is-record';
import { hasItems } from '~/api/http/keys';
import type { Connection, ConnectionPage, Run, RunProgress } from '~/api/types';

/** Ignores an event that is older than the known state. */
const isNewer = (progress: RunProgress, known: RunProgress | null): boolean =>
  known === null || known.runId !== progress.runId || known.updatedAt <= progress.updatedAt;

function mergeConnection(connection: Connection, progress: RunProgress): Connection {
  if (connection.id !== progress.connectionId || !isNewer(progress, connection.activeRun)) return connection;
  return { ...connection, activeRun: runTable[progress.state].isActive ? progress : null };
}

export function mergeIntoPage(page: ConnectionPage | undefined, progress: RunProgress): ConnectionPage | undefined {
  if (!hasItems(page)) return page;
  return { ...page, items: page.items.map((connection) => mergeConnection(connection, progress)) };
}

export const mergeIntoConnection = (connection: Connection | undefined, progress: RunProgress): Connection | undefined =>
  connection && mergeConnection(connection, progress);

export function mergeIntoRun(run: Run | undefined, progress: RunProgress): Run | undefined {
  if (!run || run.id !== progress.runId || !runTable[run.state].isActive) return run;
  const { state, isStuck, step, slicesDone, slicesTotal, rowsRead, rowsWritten, apiCalls, quotaWaitMs, resumeAt, startedAt } =
    progress;
  return {
    ...run,
    state,
    isStuck,
    step,
    slicesDone,
    slicesTotal,
    rowsRead,
    rowsWritten,
    apiCalls,
    quotaWaitMs,
    resumeAt,
    startedAt,
  };
}

export const isProgress = (value: unknown): value is RunProgress =>
  isRecord(value) && typeof value.runId === 'string' && typeof value.connectionId === 'string' && String(value.state) in runTable;
