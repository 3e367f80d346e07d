import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { clearCallback, readCallback, saveCallback } from '../session/callback';
import { decide, organizationIdOf } from '../session/decide';
import type { SessionFacts } from '../session/decide';
import { OrganizationContext, useOrganizationDocument } from '../session/organization-context';
import { useSession } from '../session/session-context';
import type { Session } from '../session/session-context';
import { readRememberedOrganization } from '../session/user-state';
import { ErrorPage } from './ErrorPage';
import { Splash } from './Splash';
import { useRouteMemory } from './use-route-memory';
import { paths } from '../lib/paths';

const LOGIN_PATHS: readonly string[] = [paths.login(), paths.signUp(), paths.forgotPassword()];

const factsOf = ({ status, user }: Session): SessionFacts => ({
  status,
  organizationIds: user?.organizations?.map(({ organizationId }) => organizationId) ?? null,
  rememberedOrganizationId: readRememberedOrganization(),
  callback: readCallback(),
});

function Redirect({ to, remember }: { to: string; remember: string | null }) {
  const navigate = useNavigate();
  useEffect(() => {
    if (remember) saveCallback(remember);
    else if (!LOGIN_PATHS.includes(to)) clearCallback();
    void navigate(to, { replace: true });
  }, [navigate, to, remember]);
  return <Splash />;
}

/** Draws a page only for somebody who may be on it; everything it knows about "may" is in `decide`. */
export function Guard({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  const organizationId = organizationIdOf(pathname);
  const organization = useOrganizationDocument(session.status === 'authenticated' ? organizationId : null);
  useRouteMemory(pathname, organization);

  const decision = decide(pathname, factsOf(session), {
    status: organization?.status ?? 'pending',
    hasSubscription: Boolean(organization?.document?.subscription),
  });
  if (session.startError !== null) return <ErrorPage error={session.startError} />;
  if (decision.kind === 'redirect') {
    const isRemembered = decision.hasToRememberTarget === true && !session.hasSignedOut;
    return <Redirect to={decision.to} remember={isRemembered ? pathname + search + hash : null} />;
  }
  if (session.status === 'pending' && !LOGIN_PATHS.includes(pathname)) return <Splash />;
  return <OrganizationContext value={organization}>{children}</OrganizationContext>;
}
