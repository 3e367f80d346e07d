import { paths } from '../lib/paths';

export interface SessionFacts {
  status: 'pending' | 'anonymous' | 'authenticated';
  /** null while they are being fetched. */
  organizationIds: readonly string[] | null;
  rememberedOrganizationId: string | null;
  callback: string | null;
}

export interface OrganizationFacts {
  status: 'pending' | 'missing' | 'present';
  hasSubscription: boolean;
}

export type Decision = { kind: 'stay' } | { kind: 'redirect'; to: string; hasToRememberTarget?: boolean };

const stay: Decision = { kind: 'stay' };
const redirect = (to: string): Decision => ({ kind: 'redirect', to });

const LOGIN_PATHS: readonly string[] = [paths.login(), paths.signUp(), paths.forgotPassword()];
const WITHOUT_SUBSCRIPTION =
  /^\/(login|signUp|onboarding|organizations|subscription)(\/|$)|^\/[^/]+\/(subscription|acceptInvitation)(\/|$)/;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ORGANIZATION_PATH = new RegExp(`^/(${UUID})(/|$)`, 'i');

export const organizationIdOf = (pathname: string): string | null => ORGANIZATION_PATH.exec(pathname)?.[1] ?? null;

const isOpenToAnyone = (pathname: string): boolean => LOGIN_PATHS.includes(pathname) || pathname.includes('/acceptInvitation');

function decideAnonymous(pathname: string): Decision {
  if (isOpenToAnyone(pathname)) return stay;
  return { kind: 'redirect', to: paths.login(), hasToRememberTarget: pathname !== paths.home() };
}

/** One organization leads to its connections, several to the choice, none to the first steps. */
export function homeOf({ organizationIds, rememberedOrganizationId }: SessionFacts): string {
  const [first, second] = organizationIds ?? [];
  if (first === undefined) return paths.onboarding();
  if (second === undefined) return paths.connections(first);
  return rememberedOrganizationId && organizationIds?.includes(rememberedOrganizationId)
    ? paths.connections(rememberedOrganizationId)
    : paths.organizations();
}

/** Short addresses that stand for a page of the remembered organization. */
const SHORTCUTS: Record<string, (organizationId: string) => string> = {
  '/settings': paths.settings,
  '/payments': paths.payments,
  '/subscription': paths.subscription,
};

function decideTopLevel(pathname: string, session: SessionFacts): Decision {
  if (LOGIN_PATHS.includes(pathname)) return redirect(session.callback ?? paths.organizations());
  if (session.organizationIds === null) return stay;
  const [first, second] = session.organizationIds;
  const shortcut = SHORTCUTS[pathname];
  if (shortcut) {
    const remembered = session.rememberedOrganizationId ?? first;
    return redirect(remembered ? shortcut(remembered) : paths.organizations());
  }
  if (pathname === paths.home()) return redirect(homeOf(session));
  if (pathname === paths.onboarding() && first) return redirect(paths.connections(session.rememberedOrganizationId ?? first));
  if (pathname === paths.organizations() && second === undefined)
    return redirect(first ? paths.connections(first) : paths.onboarding());
  return stay;
}

function decideOrganization(pathname: string, organizationId: string, organization: OrganizationFacts): Decision {
  if (organization.status === 'pending') return stay;
  if (organization.status === 'missing') return redirect(paths.organizations());
  if (!organization.hasSubscription && !WITHOUT_SUBSCRIPTION.test(pathname)) return redirect(paths.subscription(organizationId));
  return stay;
}

/** Where a visitor belongs. Pure, so that the whole of it is a table in the tests. */
export function decide(pathname: string, session: SessionFacts, organization: OrganizationFacts): Decision {
  if (session.status === 'pending') return stay;
  if (session.status === 'anonymous') return decideAnonymous(pathname);
  const organizationId = organizationIdOf(pathname);
  return organizationId === null ? decideTopLevel(pathname, session) : decideOrganization(pathname, organizationId, organization);
}
