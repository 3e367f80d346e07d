import { useEffect, useState } from 'react';
import { unstable_serialize, useSWRConfig } from 'swr';
import { isRecord } from '~/lib/is-record';
import { runTable } from '~/domain/connections/connection-state';
import { keys, keysAboutConnection, keysAboutConversion, keysOf, keysUpdatedLive } from '~/api/http/keys';
import { getConnection } from '~/api/connections/connections';
import { followEvents } from './live-events';
import { showTogether } from './show-together';
import { takeStarted } from './started-runs';
import {
  isProgress,
  mergeIntoConnection,
  mergeIntoPage,
  mergeIntoPayment,
  mergeIntoPayments,
  mergeIntoRun,
  mergeIntoRuns,
} from './merge-progress';
import type { Connection, ConnectionPage, Payment, PaymentPage, Run, RunPage, RunProgress } from '~/api/types';
import type { ServerSentEvent } from '~/lib/server-sent-events';

type Mutate = ReturnType<typeof useSWRConfig>['mutate'];

const withoutRequest = { revalidate: false };

export interface EndedRun {
  progress: RunProgress;
  connection: Connection;
}

type Stored = Pick<ReturnType<typeof useSWRConfig>, 'cache' | 'mutate'>;

/** At most one request a second for the coverage of a connection that is loading. */
const COVERAGE_PAUSE_MS = 1_000;
/** Connections whose coverage is requested at the end of the pause. */
const waiting = new Set<string>();

/** The cells fill while the run loads them. */
function refreshCoverage(mutate: Mutate, organizationId: string, { connectionId }: RunProgress): void {
  if (waiting.has(connectionId)) return;
  waiting.add(connectionId);
  setTimeout(() => {
    waiting.delete(connectionId);
    void mutate((key) => keysOf(organizationId, 'coverage')(key) && Array.isArray(key) && key[2] === connectionId);
  }, COVERAGE_PAUSE_MS);
}

async function applyChange(stored: Stored, organizationId: string, connectionId: string, runId: string | null) {
  try {
    return await showTogether(stored, organizationId, { connectionId, runId });
  } catch {
    // The screens load what they show themselves, and report their own errors.
    void stored.mutate(keysAboutConnection(organizationId, connectionId));
    if (runId !== null) void stored.mutate(keys.run(organizationId, runId));
    return undefined;
  }
}

/** Null: the user did not start the run. */
async function applyEnd(stored: Stored, organizationId: string, progress: RunProgress): Promise<EndedRun | null> {
  const { connectionId, runId } = progress;
  const shown = await applyChange(stored, organizationId, connectionId, runId);
  if (!(await takeStarted(runId))) return null;
  const connection = shown ?? (await getConnection(organizationId, connectionId).catch(() => undefined));
  return connection ? { progress, connection } : null;
}

function applyProgress({ mutate, cache }: Stored, organizationId: string, progress: RunProgress): void {
  const { connectionId, runId } = progress;
  /** A change of data that is being loaded would discard the response, and nothing would request it again. */
  const isIdle = (key: readonly unknown[]): boolean => {
    const entry = cache.get(unstable_serialize([...key]));
    return entry?.data !== undefined && entry.isValidating !== true;
  };
  const update = <Data>(isUpdated: (key: unknown) => boolean, merge: (known: Data | undefined) => Data | undefined) =>
    void mutate<Data>((key) => Array.isArray(key) && isUpdated(key) && isIdle(key), merge, withoutRequest);
  const only = (key: readonly unknown[]) => (other: unknown) => unstable_serialize([...key]) === unstable_serialize(other as []);
  update<ConnectionPage>(keysOf(organizationId, 'connections'), (page) => mergeIntoPage(page, progress));
  update<Connection>(only(keys.connection(organizationId, connectionId)), (known) => mergeIntoConnection(known, progress));
  // The end is shown when the rest is known.
  if (runTable[progress.state].isActive) {
    update<Run>(only(keys.run(organizationId, runId)), (run) => mergeIntoRun(run, progress));
    update<RunPage>(only(keys.runs(organizationId, connectionId)), (page) => mergeIntoRuns(page, progress));
  }
  update<PaymentPage>(keysOf(organizationId, 'payments'), (page) => mergeIntoPayments(page, progress));
  update<Payment>(keysOf(organizationId, 'payment'), (payment) => mergeIntoPayment(payment, progress));
  if (runTable[progress.state].isActive) return refreshCoverage(mutate, organizationId, progress);
  // The connections of payments have no caches of their own.
  void mutate(keysOf(organizationId, 'payments', 'payment'));
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

interface Receiver {
  stored: Stored;
  organizationId: string;
  onEnd: (ended: EndedRun) => void;
}

function applyRun({ stored, organizationId, onEnd }: Receiver, progress: RunProgress): void {
  applyProgress(stored, organizationId, progress);
  if (!runTable[progress.state].isActive) void applyEnd(stored, organizationId, progress).then((ended) => ended && onEnd(ended));
}

function applyEvent(receiver: Receiver, { event, data }: ServerSentEvent): void {
  const message = parse(data);
  const { organizationId } = receiver;
  const { mutate } = receiver.stored;
  if (event === 'run' && isProgress(message)) applyRun(receiver, message);
  if (event === 'connection' && isRecord(message) && typeof message.connectionId === 'string')
    void applyChange(receiver.stored, organizationId, message.connectionId, null);
  if (event === 'conversion' && isRecord(message) && typeof message.conversionId === 'string')
    void mutate(keysAboutConversion(organizationId, message.conversionId));
  if (event === 'members') {
    void mutate(keysOf(organizationId, 'members', 'profile'));
    void mutate(keys.sentInvitations(organizationId));
  }
  if (event === 'alert') void mutate(keysOf(organizationId, 'alerts'));
  if (event === 'test_bench' && isRecord(message) && typeof message.testId === 'string')
    void mutate<number>(keys.testSteps(organizationId, message.testId), (ended = 0) => ended + 1, withoutRequest);
  if (event === 'push' && isRecord(message) && typeof message.appId === 'string') {
    void mutate(keys.pushReceipts(organizationId, message.appId));
    void mutate(keys.pushEndpoint(organizationId, message.appId));
  }
}

/**
 * One event stream per open organization. `onEnd` is called for runs that the user started. Events update the caches, so screens do not poll while the stream is open.
 */
export function useLiveUpdates(organizationId: string | null, onEnd: Receiver['onEnd']): { isConnected: boolean } {
  const { mutate, cache } = useSWRConfig();
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    if (organizationId === null) return;
    const controller = new AbortController();
    let hasBeenOpen = false;
    const reload = () => void mutate(keysUpdatedLive(organizationId));
    void followEvents(`/api/v1/organizations/${organizationId}/events`, controller.signal, {
      onOpen: () => {
        setConnected(true);
        // Events during a disconnect are lost, so the data is reloaded after a reconnect.
        if (hasBeenOpen) reload();
        hasBeenOpen = true;
      },
      onClose: () => setConnected(false),
      onRejected: reload,
      onEvent: (event) => applyEvent({ stored: { mutate, cache }, organizationId, onEnd }, event),
    });
    return () => controller.abort();
  }, [organizationId, mutate, cache, onEnd]);
  return { isConnected };
}
