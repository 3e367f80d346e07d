import { createContext, useContext } from 'react';
import useSWR from 'swr';
import { getOrganizationData } from '../api/accounts';
import { isNotFound } from '../api/problem';
import type { OrganizationDocument } from '../api/types';
import { roleCan, whyNotRole } from '../lib/connection-state';
import type { Role } from '../lib/connection-state';

export interface CurrentOrganization {
  id: string;
  status: 'pending' | 'missing' | 'present';
  document: OrganizationDocument | null;
}

async function findOrganization(organizationId: string): Promise<OrganizationDocument | null> {
  try {
    return await getOrganizationData(organizationId);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** The organization an address speaks of. While it cannot be asked for, it counts as not yet known, never as missing. */
export function useOrganizationDocument(organizationId: string | null): CurrentOrganization | null {
  const { data } = useSWR(
    organizationId === null ? null : ['organization', organizationId],
    () => findOrganization(organizationId ?? ''),
    {
      revalidateOnFocus: false,
    },
  );
  if (organizationId === null) return null;
  return {
    id: organizationId,
    status: data === undefined ? 'pending' : data === null ? 'missing' : 'present',
    document: data ?? null,
  };
}

export const OrganizationContext = createContext<CurrentOrganization | null>(null);

export function useOrganization(): CurrentOrganization {
  const organization = useContext(OrganizationContext);
  if (!organization) throw new Error('useOrganization needs an address inside an organization');
  return organization;
}

/** Null on a page outside any organization. */
export const useOptionalOrganizationId = (): string | null => useContext(OrganizationContext)?.id ?? null;

export const useOrganizationId = (): string => useOrganization().id;

/** Why a control is closed to the caller's role; null when open. The server decides: until the role is known nothing is drawn as closed. */
export function useRoleGate(verb: keyof typeof roleCan): string | null {
  const role: Role = useOrganization().document?.role ?? 'owner';
  return whyNotRole(role, verb);
}
