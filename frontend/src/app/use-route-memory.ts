import { useEffect } from 'react';
import { clearFlowState } from '~/domain/navigation/flow-state';
import { endsFlow } from '~/domain/navigation/route-memory';
import { storage } from '~/lib/storage';
import type { CurrentOrganization } from '~/session/organization-context';
import { useSession } from '~/session/session-context';

/** Stores the last page and its organization, and deletes the state of an ended flow. */
export function useRouteMemory(pathname: string, organization: CurrentOrganization | null): void {
  const { user, rememberOrganization, refreshOrganizations } = useSession();
  useEffect(() => {
    storage.set('lastRoute', pathname);
    if (endsFlow(pathname)) clearFlowState();
  }, [pathname]);
  const document = organization?.document ?? null;
  const id = document ? (organization?.id ?? null) : null;
  const name = document?.company_name ?? '';
  const logo = document?.company_logo ?? null;
  useEffect(() => {
    if (id !== null) rememberOrganization(id, { name, logo });
  }, [id, name, logo, rememberOrganization]);
  // A new organization is not in the list yet. A failure keeps the old list, because the page works without it.
  const isNew = id !== null && user?.organizations?.every(({ organizationId }) => organizationId !== id) === true;
  useEffect(() => {
    if (isNew) refreshOrganizations().catch(() => undefined);
  }, [isNew, refreshOrganizations]);
}
