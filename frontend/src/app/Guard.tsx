import { lazy, Suspense, useDeferredValue, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useCatalog } from '~/api/catalog';
import { restoreProviders } from '~/domain/accounts/providers';
import { normalizePath } from '~/domain/navigation/normalize-path';
import { clearCallback, readCallback, saveCallback } from '~/session/callback';
import { decideRoute, needsOrganizations, organizationOf } from '~/session/decide-route';
import type { SessionFacts } from '~/session/decide-route';
import { describeMissing } from '~/session/missing-organization';
import { OrganizationContext, useOrganizationDocument } from '~/session/organization-context';
import type { CurrentOrganization } from '~/session/organization-context';
import { pathOfInvitation, readPendingInvitation } from '~/session/pending-invitation';
import { useReadCache } from '~/session/use-read-cache';
import { useSession } from '~/session/session-context';
import type { Session } from '~/session/session-context';
import { readRememberedOrganization } from '~/session/user-state';
import { ErrorPage, UnreachablePage } from './ErrorPage';
import { HomePage } from './HomePage';
import { Splash } from './Splash';
import { useIdentification } from './use-analytics';
import { useRouteMemory } from './use-route-memory';
import { signInPaths } from '~/domain/navigation/paths';
import { toast } from '~/components/feedback/toast';

const SecondFactorRequired = lazy(() => import('./SecondFactorRequired'));

function pendingInvitationPath(): string | null {
  const link = readPendingInvitation();
  return link && pathOfInvitation(link);
}

const factsOf = ({ status, user }: Session): SessionFacts => ({
  status,
  organizationIds: user?.organizations?.map(({ organizationId }) => organizationId) ?? null,
  memberOf: user?.organizations?.filter(({ role }) => role !== null).map(({ organizationId }) => organizationId) ?? [],
  rememberedOrganizationId: readRememberedOrganization(),
  callback: readCallback(),
  pendingInvitation: pendingInvitationPath(),
});

interface RedirectProps {
  to: string;
  remember?: string | null;
  /** A missing organization. While the list contains it, the target would redirect back to it. */
  lost?: string | null;
}

function Redirect({ to, remember = null, lost = null }: RedirectProps) {
  const navigate = useNavigate();
  const { forgetOrganization } = useSession();
  useEffect(() => {
    if (lost) forgetOrganization(lost);
    if (remember) saveCallback(remember);
    void navigate(to, { replace: true });
  }, [navigate, to, remember, lost, forgetOrganization]);
  return <Splash />;
}

/** Renders a page only for users with access to it. A path with another case or a trailing slash is corrected first. */
export function Guard({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation();
  const normalized = normalizePath(pathname);
  return normalized === pathname ? <AccessGuard>{children}</AccessGuard> : <Redirect to={normalized + search + hash} />;
}

/** Once for each visit: the organization can be requested again while the redirect is in progress. */
function useMissingNotice(organizationId: string | null, status: CurrentOrganization['status'], user: Session['user']): void {
  const reported = useRef<string | null>(null);
  useEffect(() => {
    if (status === 'present') reported.current = null;
    if (status !== 'missing' || organizationId === null || reported.current === organizationId) return;
    reported.current = organizationId;
    toast.notice(describeMissing(organizationId, user));
  }, [organizationId, status, user]);
}

/** `decideRoute` contains the rules. */
function AccessGuard({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  const facts = factsOf(session);
  const organizationId = organizationOf(pathname, facts, search);
  const isRestored = useReadCache(organizationId);
  const organization = useOrganizationDocument(session.status === 'authenticated' && isRestored ? organizationId : null);
  // Every page of an organization shows names of providers.
  const catalog = useCatalog(session.status === 'authenticated' && isRestored && organizationId !== null);
  useRouteMemory(pathname, organization);
  useIdentification(organization);
  const hasNames = organization === null || catalog.data !== undefined || catalog.error !== undefined || restoreProviders();
  // The page and its layout are rendered in short tasks, so that input is not blocked.
  const isReady = useDeferredValue(isRestored && hasNames);
  const status = organization?.status ?? 'pending';
  const decision = decideRoute(pathname, facts, {
    status: status === 'locked' || status === 'unreachable' ? 'pending' : status,
    access: organization?.document?.subscription?.access ?? null,
  });
  const here = pathname + search + hash;
  const isRemembered = decision.kind === 'redirect' && decision.hasToRememberTarget === true && !session.hasSignedOut;
  const hasReachedTarget = session.status === 'authenticated' && facts.callback === here && !isRemembered;
  useMissingNotice(organizationId, status, session.user);
  useEffect(() => {
    // Cleared only after the path has changed, because the sign-in page can render again and needs the target.
    if (hasReachedTarget) clearCallback();
  }, [hasReachedTarget]);
  if (session.startError !== null) return <ErrorPage error={session.startError} />;
  if (decision.kind === 'redirect') {
    const to = decision.hasToKeepQuery ? decision.to + search : decision.to;
    return <Redirect to={to} remember={isRemembered ? here : null} lost={status === 'missing' ? organizationId : null} />;
  }
  if (session.status === 'pending' && !signInPaths.includes(pathname)) return <Splash />;
  if (facts.organizationIds === null && needsOrganizations(pathname)) return <HomePage />;
  if (!isRestored) return <Splash />;
  if (organization?.status === 'unreachable') return <UnreachablePage organizationId={organization.id} />;
  if (organization?.status === 'locked')
    return (
      <Suspense fallback={<Splash />}>
        <SecondFactorRequired organizationId={organization.id} />
      </Suspense>
    );
  if (!isReady) return <Splash />;
  return <OrganizationContext value={organization}>{children}</OrganizationContext>;
}
