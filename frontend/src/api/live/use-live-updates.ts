import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { isRecord } from '~/lib/is-record';
import { runTable } from '~/domain/connections/connection-state';
import { keys, keysAboutConnection, keysOf } from '~/api/http/keys';
import { followEvents } from './live-events';
import { isProgress, mergeIntoConnection, mergeIntoPage, mergeIntoRun } from './merge-progress';
import type { Connection, ConnectionPage, Run, RunProgress } from '~/api/types';
import type { ServerSentEvent } from '~/lib/server-sent-events';

type Mutate = ReturnType<typeof useSWRConfig>['mutate'];

const withoutAsking = { revalidate: false };
/** Kinds of things that the stream has news of. */
const TOLD = ['connections', 'connection', 'runs', 'run', 'coverage', 'pushReceipts', 'pushEndpoint'] as const;

function applyProgress(mutate: Mutate, organizationId: string, progress: RunProgress): void {
  const { connectionId, runId } = progress;
  const isConnectionList = keysOf(organizationId, 'connections');
  void mutate<ConnectionPage>(isConnectionList, (page) => mergeIntoPage(page, progress), withoutAsking);
  void mutate<Connection>(
    keys.connection(organizationId, connectionId),
    (known) => mergeIntoConnection(known, progress),
    withoutAsking,
  );
  void mutate<Run>(keys.run(organizationId, runId), (run) => mergeIntoRun(run, progress), withoutAsking);
  if (runTable[progress.state].isActive) return;
  void mutate(keysAboutConnection(organizationId, connectionId));
  void mutate(keys.run(organizationId, runId));
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

function applyEvent(mutate: Mutate, organizationId: string, { event, data }: ServerSentEvent): void {
  const message = parse(data);
  if (event === 'run' && isProgress(message)) applyProgress(mutate, organizationId, message);
  if (event === 'connection' && isRecord(message) && typeof message.connectionId === 'string')
    void mutate(keysAboutConnection(organizationId, message.connectionId));
  if (event === 'push' && isRecord(message) && typeof message.appId === 'string') {
    void mutate(keys.pushReceipts(organizationId, message.appId));
    void mutate(keys.pushEndpoint(organizationId, message.appId));
  }
}

/** One event stream per open organization; its news go straight into the caches, so that no screen asks while the line is open. */
export function useLiveUpdates(organizationId: string | null): { isConnected: boolean } {
  const { mutate } = useSWRConfig();
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    if (organizationId === null) return;
    const controller = new AbortController();
    let hasBeenOpen = false;
    const askOnce = () => void mutate(keysOf(organizationId, ...TOLD));
    void followEvents(`/api/v1/organizations/${organizationId}/events`, controller.signal, {
      onOpen: () => {
        setConnected(true);
        // What happened while the line was down was not told: ask once.
        if (hasBeenOpen) askOnce();
        hasBeenOpen = true;
      },
      onClose: () => setConnected(false),
      onRefused: askOnce,
      onEvent: (event) => applyEvent(mutate, organizationId, event),
    });
    return () => controller.abort();
  }, [organizationId, mutate]);
  return { isConnected };
}
