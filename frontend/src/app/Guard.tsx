import { lazy, Suspense, useEffect } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { clearCallback, readCallback, saveCallback } from '~/session/callback';
import { decideRoute, needsOrganizations, organizationOf } from '~/session/decide-route';
import type { SessionFacts } from '~/session/decide-route';
import { OrganizationContext, useOrganizationDocument } from '~/session/organization-context';
import { pathOfInvitation, readPendingInvitation } from '~/session/pending-invitation';
import { useSession } from '~/session/session-context';
import type { Session } from '~/session/session-context';
import { readRememberedOrganization } from '~/session/user-state';
import { ErrorPage } from './ErrorPage';
import { HomePage } from './HomePage';
import { Splash } from './Splash';
import { useRouteMemory } from './use-route-memory';
import { paths } from '~/domain/navigation/paths';

const SecondFactorRequired = lazy(() => import('./SecondFactorRequired'));

const LOGIN_PATHS: readonly string[] = [paths.login(), paths.signUp(), paths.forgotPassword()];

function pendingInvitationPath(): string | null {
  const link = readPendingInvitation();
  return link && pathOfInvitation(link);
}

const factsOf = ({ status, user }: Session): SessionFacts => ({
  status,
  organizationIds: user?.organizations?.map(({ organizationId }) => organizationId) ?? null,
  rememberedOrganizationId: readRememberedOrganization(),
  callback: readCallback(),
  pendingInvitation: pendingInvitationPath(),
});

function Redirect({ to, remember }: { to: string; remember: string | null }) {
  const navigate = useNavigate();
  useEffect(() => {
    if (remember) saveCallback(remember);
    void navigate(to, { replace: true });
  }, [navigate, to, remember]);
  return <Splash />;
}

/** Renders a page only for users with access to it. `decide` contains the rules. */
export function Guard({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  const facts = factsOf(session);
  const organizationId = organizationOf(pathname, facts, search);
  const organization = useOrganizationDocument(session.status === 'authenticated' ? organizationId : null);
  useRouteMemory(pathname, organization);
  const status = organization?.status ?? 'pending';
  const decision = decideRoute(pathname, facts, {
    status: status === 'locked' ? 'pending' : status,
    access: organization?.document?.subscription?.access ?? null,
  });
  const here = pathname + search + hash;
  const isRemembered = decision.kind === 'redirect' && decision.hasToRememberTarget === true && !session.hasSignedOut;
  const hasReachedTarget = session.status === 'authenticated' && facts.callback === here && !isRemembered;
  useEffect(() => {
    // Cleared only after the path has changed, because the sign-in page can render again and needs the target.
    if (hasReachedTarget) clearCallback();
  }, [hasReachedTarget]);
  if (session.startError !== null) return <ErrorPage error={session.startError} />;
  if (decision.kind === 'redirect') {
    const to = decision.hasToKeepQuery ? decision.to + search : decision.to;
    return <Redirect to={to} remember={isRemembered ? here : null} />;
  }
  if (session.status === 'pending' && !LOGIN_PATHS.includes(pathname)) return <Splash />;
  if (facts.organizationIds === null && needsOrganizations(pathname)) return <HomePage />;
  if (organization?.status === 'locked')
    return (
      <Suspense fallback={<Splash />}>
        <SecondFactorRequired organizationId={organization.id} />
      </Suspense>
    );
  return <OrganizationContext value={organization}>{children}</OrganizationContext>;
}
