import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useOrganization } from '~/session/organization-context';

/** No checkout comes back to an installation where nobody pays: an old link leads to the page that says so. */
export function BillingOnly({ children }: { children: ReactNode }) {
  const { id, document } = useOrganization();
  return document?.subscription?.isBilled === false ? <Navigate to={paths.subscription(id)} replace /> : children;
}
