import { useEffect } from 'react';
import { clearFlowState } from '~/domain/navigation/flow-state';
import { endsFlow } from '~/domain/navigation/route-memory';
import { storage } from '~/lib/storage';
import type { CurrentOrganization } from '~/session/organization-context';
import { useSession } from '~/session/session-context';

/** Remembers the last page and the organization it belongs to, and forgets a flow that was left. */
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
  // One that was made or joined a moment ago is not in the list yet. A failure leaves the list as it is; the page works without.
  const isNew = id !== null && user?.organizations?.every(({ organizationId }) => organizationId !== id) === true;
  useEffect(() => {
    if (isNew) refreshOrganizations().catch(() => undefined);
  }, [isNew, refreshOrganizations]);
}
