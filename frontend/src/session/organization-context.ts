import { createContext, useContext } from 'react';
import useSWR from 'swr';
import { getOrganizationData } from '~/api/accounts';
import { keys } from '~/api/http/keys';
import { ApiProblem, isNotFound, isSecondFactorRequired, NetworkProblem } from '~/api/http/problem';
import type { OrganizationDocument } from '~/api/types';

export interface CurrentOrganization {
  id: string;
  /**
   * `failed`: the request failed; earlier data is still shown. `unreachable`: there was no response. `locked`: a sign-in with a
   * second factor is required.
   */
  status: 'pending' | 'failed' | 'unreachable' | 'missing' | 'present' | 'locked';
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

/** No answer from the API: neither its own error nor one of a proxy that could not reach it. */
const isWithoutAnswer = (error: unknown): boolean =>
  error instanceof NetworkProblem || (error instanceof ApiProblem && [502, 503, 504].includes(error.status));

/** A missing organization that is requested again is pending: the user can have joined or restored it since. */
export const statusOf = (
  data: OrganizationDocument | null | undefined,
  error: unknown,
  isValidating: boolean,
): CurrentOrganization['status'] => {
  if (isSecondFactorRequired(error)) return 'locked';
  if (data === undefined && isWithoutAnswer(error)) return 'unreachable';
  if (data === undefined) return error === undefined ? 'pending' : 'failed';
  if (data !== null) return 'present';
  return isValidating ? 'pending' : 'missing';
};

/** The organization of the current page. A failed request has the status `failed`, not `missing`. */
export function useOrganizationDocument(organizationId: string | null): CurrentOrganization | null {
  const { data, error, isValidating } = useSWR<OrganizationDocument | null, unknown>(
    organizationId === null ? null : keys.document(organizationId),
    () => findOrganization(organizationId ?? ''),
    {
      revalidateOnFocus: false,
    },
  );
  if (organizationId === null) return null;
  return {
    id: organizationId,
    status: statusOf(data, error, isValidating),
    document: data ?? null,
  };
}

export const OrganizationContext = createContext<CurrentOrganization | null>(null);

export function useOrganization(): CurrentOrganization {
  const organization = useContext(OrganizationContext);
  if (!organization) throw new Error('useOrganization requires a page inside an organization');
  return organization;
}

/** Null on pages outside an organization. */
export const useOptionalOrganizationId = (): string | null => useContext(OrganizationContext)?.id ?? null;

export const useOrganizationId = (): string => useOrganization().id;

/** Whether billing is on, and whether paid features are available. Both are available until the document is loaded. */
export function usePlan(): { isBilled: boolean; isOpen: boolean } {
  const { document } = useOrganization();
  if (!document) return { isBilled: false, isOpen: true };
  const { subscription } = document;
  return { isBilled: subscription?.isBilled ?? true, isOpen: subscription !== null && subscription.access !== 'closed' };
}

/** Why a paid feature is disabled; null when it is enabled. */
export const usePlanGate = (): string | null => (usePlan().isOpen ? null : 'Requires a plan');
