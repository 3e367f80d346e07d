import useSWRInfinite from 'swr/infinite';
import { authorizationHeaders, client, unwrap } from './http/client';
import { toProblem } from './http/problem';
import type { AuditPage } from './types';

const PAGE_SIZE = 50;

/** As the API takes it: `to` is the first moment that no longer counts. */
export interface AuditFilter {
  actor?: string;
  action?: string;
  from?: string;
  to?: string;
}

const listAuditEvents = (organizationId: string, filter: AuditFilter, cursor: string | undefined) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/audit-events', {
      params: { path: { organizationId }, query: { ...filter, limit: PAGE_SIZE, cursor } },
    }),
  );

/** Page by page; each following one begins where the one before ended. */
export const useAuditEvents = (organizationId: string, filter: AuditFilter, isAllowed: boolean) =>
  useSWRInfinite(
    (index, previous: AuditPage | null) => {
      if (!isAllowed || (index > 0 && !previous?.nextCursor)) return null;
      return ['audit', organizationId, filter, previous?.nextCursor ?? undefined] as const;
    },
    ([, , asked, cursor]) => listAuditEvents(organizationId, asked, cursor),
    { revalidateFirstPage: false, keepPreviousData: true },
  );

/** The same events as a file. A link cannot carry the sign-in, so the file is fetched and handed over. */
export async function fetchAuditCsv(organizationId: string, filter: AuditFilter): Promise<Blob> {
  const entries = Object.entries(filter).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const query = new URLSearchParams(entries);
  const response = await fetch(`/api/v1/organizations/${encodeURIComponent(organizationId)}/audit-events.csv?${query}`, {
    headers: await authorizationHeaders(),
  });
  if (response.ok) return response.blob();
  throw toProblem(response.status, await response.json().catch(() => null), response.headers.get('x-request-id'));
}
