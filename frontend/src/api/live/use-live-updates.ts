import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { isRecord } from '~/lib/is-record';
import { runTable } from '~/domain/connections/connection-state';
import { keys, keysAboutConnection, keysAboutConversion, keysOf } from '~/api/http/keys';
import { followEvents } from './live-events';
import {
  isProgress,
  mergeIntoConnection,
  mergeIntoPage,
  mergeIntoPayment,
  mergeIntoPayments,
  mergeIntoRun,
} from './merge-progress';
import type { Connection, ConnectionPage, Payment, PaymentPage, Run, RunProgress } from '~/api/types';
import type { ServerSentEvent } from '~/lib/server-sent-events';

type Mutate = ReturnType<typeof useSWRConfig>['mutate'];

const withoutRequest = { revalidate: false };
/** The kinds of resources that live events update. */
const UPDATED_KINDS = [
  ...(['connections', 'connection', 'runs', 'run', 'coverage', 'pushReceipts', 'pushEndpoint'] as const),
  ...(['backfills', 'backfill', 'alerts', 'freshness', 'freshnessOf'] as const),
  ...(['conversions', 'conversion', 'conversionFunnel', 'conversionRuns'] as const),
  ...(['payments', 'payment', 'recurringRevenue'] as const),
  ...(['conversionEvents', 'conversionEvent', 'conversionOrders'] as const),
];

function applyProgress(mutate: Mutate, organizationId: string, progress: RunProgress): void {
  const { connectionId, runId } = progress;
  const isConnectionList = keysOf(organizationId, 'connections');
  void mutate<ConnectionPage>(isConnectionList, (page) => mergeIntoPage(page, progress), withoutRequest);
  void mutate<Connection>(
    keys.connection(organizationId, connectionId),
    (known) => mergeIntoConnection(known, progress),
    withoutRequest,
  );
  void mutate<Run>(keys.run(organizationId, runId), (run) => mergeIntoRun(run, progress), withoutRequest);
  void mutate<PaymentPage>(keysOf(organizationId, 'payments'), (page) => mergeIntoPayments(page, progress), withoutRequest);
  void mutate<Payment>(keysOf(organizationId, 'payment'), (payment) => mergeIntoPayment(payment, progress), withoutRequest);
  if (runTable[progress.state].isActive) return;
  // The connections of payments have no caches of their own.
  void mutate(keysOf(organizationId, 'payments', 'payment'));
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

/** One event stream per open organization. Events update the caches, so screens do not poll while the stream is open. */
export function useLiveUpdates(organizationId: string | null): { isConnected: boolean } {
  const { mutate } = useSWRConfig();
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    if (organizationId === null) return;
    const controller = new AbortController();
    let hasBeenOpen = false;
    const reload = () => void mutate(keysOf(organizationId, ...UPDATED_KINDS));
    void followEvents(`/api/v1/organizations/${organizationId}/events`, controller.signal, {
      onOpen: () => {
        setConnected(true);
        // Events during a disconnect are lost, so the data is reloaded after a reconnect.
        if (hasBeenOpen) reload();
        hasBeenOpen = true;
      },
      onClose: () => setConnected(false),
      onRejected: reload,
      onEvent: (event) => applyEvent(mutate, organizationId, event),
    });
    return () => controller.abort();
  }, [organizationId, mutate]);
  return { isConnected };
}
