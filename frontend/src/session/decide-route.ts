import { UUID } from '~/domain/navigation/normalize-path';
import { flowPatterns, paths, signInPaths } from '~/domain/navigation/paths';
import { readStateHint } from '~/domain/navigation/sign-in-state';

export interface SessionFacts {
  status: 'pending' | 'anonymous' | 'authenticated';
  /** All that the user can open: those of platform staff too. null while loading. */
  organizationIds: readonly string[] | null;
  /** Those that the user is a member of, the default one first. */
  memberOf: readonly string[];
  /** The last organization of this tab. */
  rememberedOrganizationId: string | null;
  callback: string | null;
  /** Path of an invitation that was opened before signing in. */
  pendingInvitation: string | null;
}

export interface OrganizationFacts {
  /** `failed`: the organization could not be loaded. */
  status: 'pending' | 'failed' | 'missing' | 'present';
  /** What the subscription allows; null without a subscription. */
  access: 'open' | 'grace' | 'closed' | null;
}

export type Decision =
  | { kind: 'stay' }
  | { kind: 'redirect'; to: string; hasToRememberTarget?: boolean; hasToKeepQuery?: boolean };

const stay: Decision = { kind: 'stay' };
const redirect = (to: string): Decision => ({ kind: 'redirect', to });

/** Pages that do not require a subscription. */
const WITHOUT_SUBSCRIPTION =
  /^\/(login|signUp|onboarding|organizations|subscription)(\/|$)|^\/[^/]+\/(subscription|acceptInvitation)(\/|$)/;
/** Settings are open without a subscription: members, export, leaving the organization. */
const SETTINGS = /^\/[^/]+\/settings(\/|$)/;
/** Pages of single resources are readable after the subscription has lapsed. Lists and pages that create something are not. */
const READING = new RegExp(`^/[^/]+/(connection|conversion|payment|source|destination|app)/${UUID}(/(?!test1(/|$)).*)?$`, 'i');
const ORGANIZATION_PATH = new RegExp(`^/(${UUID})(/|$)`, 'i');

export const organizationIdOf = (pathname: string): string | null => ORGANIZATION_PATH.exec(pathname)?.[1] ?? null;

/** The user is not a member of this organization yet, so no data of it can be loaded. */
const isInvitation = (pathname: string): boolean => /^\/[^/]+\/acceptInvitation(\/|$)/.test(pathname);

const isOpenToAnyone = (pathname: string): boolean =>
  signInPaths.includes(pathname) || pathname === paths.demo() || isInvitation(pathname);

/** Wizard steps without an organization in their path. They belong to the last organization of the tab. */
const FLOW_PATHS: readonly string[] = Object.values(flowPatterns);

/**
 * The tab's last organization if the user is still a member, otherwise their first. Platform staff are visitors of the others: a page
 * without an organization in its path must not open one of a customer.
 */
const currentOf = ({ memberOf, rememberedOrganizationId }: SessionFacts): string | null =>
  rememberedOrganizationId !== null && memberOf.includes(rememberedOrganizationId)
    ? rememberedOrganizationId
    : (memberOf[0] ?? null);

/** The organization that a returning sign-in was started for. The user can have opened another one since. */
function signInOrganizationOf(search: string, { organizationIds }: SessionFacts): string | null {
  const { organizationId } = readStateHint(new URLSearchParams(search).get('state') ?? '');
  return organizationId !== null && organizationIds?.includes(organizationId) ? organizationId : null;
}

/** The organization of a page: from the path, from the sign-in that returns to it, or the tab's last one. */
export function organizationOf(pathname: string, session: SessionFacts, search = ''): string | null {
  if (isInvitation(pathname)) return null;
  const named = organizationIdOf(pathname);
  if (named !== null || !FLOW_PATHS.includes(pathname)) return named;
  return signInOrganizationOf(search, session) ?? currentOf(session);
}

function decideAnonymous(pathname: string): Decision {
  if (isOpenToAnyone(pathname)) return stay;
  return { kind: 'redirect', to: paths.login(), hasToRememberTarget: pathname !== paths.home() };
}

/** The home page: the connections of the only organization, the list of several, or onboarding. */
function homeOf({ organizationIds }: SessionFacts): string {
  if (organizationIds === null) return paths.home();
  const [first, second] = organizationIds;
  if (first === undefined) return paths.onboarding();
  return second === undefined ? paths.connections(first) : paths.organizations();
}

/** Short paths that redirect to a page of the tab's last organization. */
const SHORTCUTS: Record<string, (organizationId: string) => string> = {
  '/settings': paths.settings,
  '/payments': paths.payments,
  '/subscription': paths.subscription,
  '/subscription/success': paths.subscriptionSuccess,
  '/subscription/failure': paths.subscriptionFailure,
};

/** Whether the page requires the list of the user's organizations. */
export const needsOrganizations = (pathname: string): boolean => FLOW_PATHS.includes(pathname) || pathname in SHORTCUTS;

function decideTopLevel(pathname: string, session: SessionFacts): Decision {
  if (signInPaths.includes(pathname)) return redirect(session.callback ?? session.pendingInvitation ?? homeOf(session));
  if (session.organizationIds === null) return stay;
  const current = currentOf(session);
  const shortcut = SHORTCUTS[pathname];
  if (shortcut && current) return { kind: 'redirect', to: shortcut(current), hasToKeepQuery: true };
  if (shortcut || (FLOW_PATHS.includes(pathname) && !current)) return redirect(paths.organizations());
  if (pathname === paths.home()) return redirect(homeOf(session));
  if (pathname === paths.onboarding() && current) return redirect(paths.connections(current));
  // The list stays open with one organization, because invitations and deleted organizations are shown there.
  if (pathname === paths.organizations() && session.organizationIds.length === 0) return redirect(paths.onboarding());
  return stay;
}

function mayStay(pathname: string, { status, access }: OrganizationFacts): boolean {
  if (WITHOUT_SUBSCRIPTION.test(pathname)) return true;
  if (status === 'failed') return false;
  if (access === 'open' || access === 'grace') return true;
  return SETTINGS.test(pathname) || (access === 'closed' && READING.test(pathname));
}

function decideOrganization(pathname: string, organizationId: string, organization: OrganizationFacts): Decision {
  if (organization.status === 'pending') return stay;
  if (organization.status === 'missing') return redirect(paths.organizations());
  if (mayStay(pathname, organization)) return stay;
  return { kind: 'redirect', to: paths.subscription(organizationId), hasToRememberTarget: true };
}

/** Decides whether the user stays on the page or is redirected. A pure function, so that the tests can list all cases. */
export function decideRoute(pathname: string, session: SessionFacts, organization: OrganizationFacts): Decision {
  if (session.status === 'pending') return stay;
  if (session.status === 'anonymous') return decideAnonymous(pathname);
  if (isInvitation(pathname)) return stay;
  const organizationId = organizationOf(pathname, session);
  return organizationId === null ? decideTopLevel(pathname, session) : decideOrganization(pathname, organizationId, organization);
}
