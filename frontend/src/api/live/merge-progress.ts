import { runTable } from '~/domain/connections/connection-state';
import { isRecord } from '~/lib/is-record';
import { hasItems } from '~/api/http/keys';
import type { Connection, ConnectionPage, Payment, PaymentPage, RunPage, RunProgress, RunSummary } from '~/api/types';

/** Ignores an event that is older than the known state. */
const isNewer = (progress: RunProgress, known: RunProgress | null): boolean =>
  known === null || known.runId !== progress.runId || known.updatedAt <= progress.updatedAt;

/** Runs of backfills and reloads are not the active run of the connection. */
function mergeConnection(connection: Connection, progress: RunProgress): Connection {
  if (progress.track !== 'regular' || connection.id !== progress.connectionId || !isNewer(progress, connection.activeRun))
    return connection;
  // The end is shown with the health that it leads to, when the connection has been loaded again. Header and card change together.
  return runTable[progress.state].isActive ? { ...connection, activeRun: progress } : connection;
}

export function mergeIntoPage(page: ConnectionPage | undefined, progress: RunProgress): ConnectionPage | undefined {
  if (!hasItems(page)) return page;
  return { ...page, items: page.items.map((connection) => mergeConnection(connection, progress)) };
}

export const mergeIntoConnection = (connection: Connection | undefined, progress: RunProgress): Connection | undefined =>
  connection && mergeConnection(connection, progress);

export function mergeIntoRun<Known extends RunSummary>(run: Known | undefined, progress: RunProgress): Known | undefined {
  if (!run || run.id !== progress.runId || !runTable[run.state].isActive) return run;
  const {
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
    failure,
    startedAt,
  } = progress;
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
    failure: failure ?? run.failure,
    startedAt,
  };
}

export function mergeIntoRuns(page: RunPage | undefined, progress: RunProgress): RunPage | undefined {
  if (!hasItems(page)) return page;
  return { ...page, items: page.items.map((run) => mergeIntoRun(run, progress) ?? run) };
}

/** A run of a destination of the payment starts or ends. */
function mergePayment(payment: Payment, { connectionId, runId, state, track }: RunProgress): Payment {
  if (track !== 'regular' || !payment.destinations.some((one) => one.connectionId === connectionId)) return payment;
  const activeRunId = runTable[state].isActive ? runId : null;
  const destinations = payment.destinations.map((one) => (one.connectionId === connectionId ? { ...one, activeRunId } : one));
  return { ...payment, destinations };
}

export const mergeIntoPayment = (payment: Payment | undefined, progress: RunProgress): Payment | undefined =>
  payment && mergePayment(payment, progress);

export function mergeIntoPayments(page: PaymentPage | undefined, progress: RunProgress): PaymentPage | undefined {
  if (!hasItems(page)) return page;
  return { ...page, items: page.items.map((payment) => mergePayment(payment, progress)) };
}

export const isProgress = (value: unknown): value is RunProgress =>
  isRecord(value) && typeof value.runId === 'string' && typeof value.connectionId === 'string' && String(value.state) in runTable;
