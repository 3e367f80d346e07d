import { flowPatterns, paths } from '~/domain/navigation/paths';
import { readStateHint } from '~/domain/navigation/sign-in-state';

export interface SessionFacts {
  status: 'pending' | 'anonymous' | 'authenticated';
  /** null while they are being fetched. */
  organizationIds: readonly string[] | null;
  rememberedOrganizationId: string | null;
  callback: string | null;
  /** Path of an invitation that was opened before signing in. */
  pendingInvitation: string | null;
}

export interface OrganizationFacts {
  /** `failed`: it could not be asked for, and nothing is known of it. */
  status: 'pending' | 'failed' | 'missing' | 'present';
  /** What its subscription lets it do; null when it has none. */
  access: 'open' | 'grace' | 'closed' | null;
}

export type Decision =
  { kind: 'stay' } | { kind: 'redirect'; to: string; hasToRememberTarget?: boolean; hasToKeepQuery?: boolean };

const stay: Decision = { kind: 'stay' };
const redirect = (to: string): Decision => ({ kind: 'redirect', to });

const LOGIN_PATHS: readonly string[] = [paths.login(), paths.signUp(), paths.forgotPassword()];
/** The subscription is not asked for here. */
const WITHOUT_SUBSCRIPTION =
  /^\/(login|signUp|onboarding|organizations|subscription)(\/|$)|^\/[^/]+\/(subscription|acceptInvitation)(\/|$)/;
export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Members, export and leaving stay open to an organization that has stopped paying, or never began. */
const SETTINGS = /^\/[^/]+\/settings(\/|$)/;
/** What a lapsed organization has made can still be read, page by page; its lists and everything that makes something lead to the plan. */
const READING = new RegExp(`^/[^/]+/(connection|conversion|payment|source|destination|app)/${UUID}(/(?!test1(/|$)).*)?$`, 'i');
const ORGANIZATION_PATH = new RegExp(`^/(${UUID})(/|$)`, 'i');

export const organizationIdOf = (pathname: string): string | null => ORGANIZATION_PATH.exec(pathname)?.[1] ?? null;

/** Its reader is not in the organization yet: nothing may be asked of it there. */
const isInvitation = (pathname: string): boolean => /^\/[^/]+\/acceptInvitation(\/|$)/.test(pathname);

const isOpenToAnyone = (pathname: string): boolean => LOGIN_PATHS.includes(pathname) || isInvitation(pathname);

/** Steps of a flow that name no organization: they belong to the remembered one. */
const FLOW_PATHS: readonly string[] = Object.values(flowPatterns);

/** The remembered organization while it is still one of the user's, otherwise the first. */
const currentOf = ({ organizationIds, rememberedOrganizationId }: SessionFacts): string | null =>
  rememberedOrganizationId !== null && organizationIds?.includes(rememberedOrganizationId)
    ? rememberedOrganizationId
    : (organizationIds?.[0] ?? null);

/** The organization a sign-in that comes back was started for; another may have been opened meanwhile. */
function answeredOf(search: string, { organizationIds }: SessionFacts): string | null {
  const { organizationId } = readStateHint(new URLSearchParams(search).get('state') ?? '');
  return organizationId !== null && organizationIds?.includes(organizationId) ? organizationId : null;
}

/** Whose page an address is: named in it, told by the sign-in that ends there, or remembered. */
export function organizationOf(pathname: string, session: SessionFacts, search = ''): string | null {
  if (isInvitation(pathname)) return null;
  const named = organizationIdOf(pathname);
  if (named !== null || !FLOW_PATHS.includes(pathname)) return named;
  return answeredOf(search, session) ?? currentOf(session);
}

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
  '/subscription/success': paths.subscriptionSuccess,
  '/subscription/failure': paths.subscriptionFailure,
};

/** These lead on, or belong to an organization, only once the user's organizations are known. */
export const needsOrganizations = (pathname: string): boolean => FLOW_PATHS.includes(pathname) || pathname in SHORTCUTS;

function decideTopLevel(pathname: string, session: SessionFacts): Decision {
  if (LOGIN_PATHS.includes(pathname)) return redirect(session.callback ?? session.pendingInvitation ?? paths.organizations());
  if (session.organizationIds === null) return stay;
  const [first, second] = session.organizationIds;
  const current = currentOf(session);
  const shortcut = SHORTCUTS[pathname];
  if (shortcut && current) return { kind: 'redirect', to: shortcut(current), hasToKeepQuery: true };
  if (shortcut || (FLOW_PATHS.includes(pathname) && !current)) return redirect(paths.organizations());
  if (pathname === paths.home()) return redirect(homeOf(session));
  if (pathname === paths.onboarding() && current) return redirect(paths.connections(current));
  if (pathname === paths.organizations() && second === undefined)
    return redirect(first ? paths.connections(first) : paths.onboarding());
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

/** Where a visitor belongs. Pure, so that the whole of it is a table in the tests. */
export function decide(pathname: string, session: SessionFacts, organization: OrganizationFacts): Decision {
  if (session.status === 'pending') return stay;
  if (session.status === 'anonymous') return decideAnonymous(pathname);
  if (isInvitation(pathname)) return stay;
  const organizationId = organizationOf(pathname, session);
  return organizationId === null ? decideTopLevel(pathname, session) : decideOrganization(pathname, organizationId, organization);
}
