import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useOrganization } from '~/session/organization-context';

/** Redirects checkout results to the subscription page when billing is off on this instance. */
export function BillingOnly({ children }: { children: ReactNode }) {
  const { id, document } = useOrganization();
  return document?.subscription?.isBilled === false ? <Navigate to={paths.subscription(id)} replace /> : children;
}
