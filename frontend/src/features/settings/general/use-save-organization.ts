import { useMemo } from 'react';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import { updateOrganization } from '~/api/organization';
import type { Organization, OrganizationChange } from '~/api/types';
import { useSession } from '~/session/session-context';

/** Saves the organization and refreshes the sidebar and the list of organizations. */
export function useSaveOrganization(organizationId: string) {
  const { mutate } = useSWRConfig();
  const { refreshOrganizations } = useSession();
  return useMemo(
    () => ({
      store: async (change: OrganizationChange): Promise<Organization> => {
        const saved = await updateOrganization(organizationId, change);
        await mutate(keys.profile(organizationId), saved, { revalidate: false });
        void mutate(keys.document(organizationId));
        refreshOrganizations().catch(() => undefined);
        return saved;
      },
      refresh: () => mutate(keys.profile(organizationId)),
    }),
    [organizationId, mutate, refreshOrganizations],
  );
}
