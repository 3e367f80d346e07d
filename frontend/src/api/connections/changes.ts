import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';
import { useOlderPages } from '~/api/http/use-older-pages';
import type { RestatementPage } from '~/api/types';

const connection = '/api/v1/organizations/{organizationId}/connections/{connectionId}';
const at = (organizationId: string, connectionId: string) => ({ path: { organizationId, connectionId } });
/** A reconciliation may end between two live events, so an active one is polled. */
const WHILE_RUNNING_MS = 3_000;

export interface ChangedDaysFilter {
  stream: string;
  account: string;
  from: string;
  to: string;
}

/** The days of one account and stream that changed, at most 100. */
export const useChangedDays = (organizationId: string, connectionId: string, filter: ChangedDaysFilter) =>
  useSWR(keys.restatements(organizationId, connectionId, filter), () =>
    unwrap(
      client.GET(`${connection}/restatements`, {
        params: { ...at(organizationId, connectionId), query: { ...filter, limit: 100 } },
      }),
    ),
  );

const listRestated = (organizationId: string, connectionId: string, query: { stream: string; cursor?: string }) =>
  unwrap(
    client.GET(`${connection}/restatements`, {
      params: { ...at(organizationId, connectionId), query: { ...query, kind: 'restated', limit: 20 } },
    }),
  );

/** The newest days that changed after they had settled. */
export const useRestatedDays = (organizationId: string, connectionId: string, stream: string) =>
  useSWR(keys.restatements(organizationId, connectionId, { stream, kind: 'restated' }), () =>
    listRestated(organizationId, connectionId, { stream }),
  );

/** All loaded days. `useRestatedDays` refreshes the first page. */
export const useOlderRestatedDays = (
  organizationId: string,
  connectionId: string,
  stream: string,
  first: RestatementPage | undefined,
) =>
  useOlderPages({
    key: ['older-restated-days', organizationId, connectionId, stream],
    first,
    load: (cursor) => listRestated(organizationId, connectionId, { stream, cursor }),
    idOf: ({ accountId, date }) => `${accountId} ${date}`,
  });

export const useSettlingTimes = (organizationId: string, connectionId: string, stream: string) =>
  useSWR(keys.settlingTimes(organizationId, connectionId, stream), () =>
    unwrap(
      client.GET(`${connection}/restatements/settling`, {
        params: { ...at(organizationId, connectionId), query: { stream } },
      }),
    ),
  );

export const startReconciliation = (organizationId: string, connectionId: string) =>
  unwrap(client.POST(`${connection}/reconciliation`, { params: at(organizationId, connectionId) }));

export const useReconciliation = (organizationId: string, connectionId: string) =>
  useSWR(
    keys.reconciliation(organizationId, connectionId),
    () => unwrap(client.GET(`${connection}/reconciliation`, { params: at(organizationId, connectionId) })),
    { refreshInterval: (answer) => (answer?.current ? WHILE_RUNNING_MS : 0) },
  );
