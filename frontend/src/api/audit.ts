import useSWRInfinite from 'swr/infinite';
import { authorizationHeaders, client, unwrap } from './http/client';
import { dropOtherPages, filtered } from './http/filtered-pages';
import { toProblem } from './http/problem';
import type { AuditPage } from './types';

const PAGE_SIZE = 50;

/** The filter of the API. `to` is exclusive. */
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

/** Audit events, page by page. */
export const useAuditEvents = (organizationId: string, filter: AuditFilter, isAllowed: boolean) =>
  dropOtherPages(
    useSWRInfinite(
      (index, previous: AuditPage | null) => {
        if (!isAllowed || (index > 0 && !previous?.nextCursor)) return null;
        return ['audit', organizationId, filter, previous?.nextCursor ?? undefined] as const;
      },
      ([, , requested, cursor]) => filtered(requested, listAuditEvents(organizationId, requested, cursor)),
      // A log that is opened again at once shows what was done in between.
      { keepPreviousData: true, dedupingInterval: 0 },
    ),
    filter,
  );

/** The same events as a CSV file. A link cannot send the Authorization header, so the file is fetched. */
export async function fetchAuditCsv(organizationId: string, filter: AuditFilter): Promise<Blob> {
  const entries = Object.entries(filter).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const query = new URLSearchParams(entries);
  const response = await fetch(`/api/v1/organizations/${encodeURIComponent(organizationId)}/audit-events.csv?${query}`, {
    headers: await authorizationHeaders(),
  });
  if (response.ok) return response.blob();
  throw toProblem(response.status, await response.json().catch(() => null), response.headers.get('x-request-id'));
}
