import type { AccessRule } from '../../src/access/access.decorator.js';
import { isAllowed, isAllowedOnVisit, PERSON_ONLY, type Role, ROLES } from '../../src/access/policy.js';
import type { TestApp } from '../app.js';
import { type TestUser, tokenFor } from '../http.js';
import { aKeyOf, aPerson, type TestOrganization } from './test-organization.js';

/** A caller, from the view of the home organization. */
export interface Caller {
  name: string;
  kind: 'nobody' | 'refused' | 'person' | 'key';
  token: string | null;
  user: TestUser | null;
  /** Role in the home organization; null for a user without access. */
  role: Role | null;
  /** Whether the e-mail address is verified. */
  isVerified: boolean;
  /** Whether the sign-in used a second factor, which the home organization requires of owners and admins. */
  hasSecondFactor: boolean;
  isStaff: boolean;
}

const caller = (name: string, kind: Caller['kind'], token: string | null, rest: Partial<Caller> = {}): Caller => ({
  name,
  kind,
  token,
  user: null,
  role: null,
  isVerified: true,
  hasSecondFactor: kind === 'person',
  isStaff: false,
  ...rest,
});

export async function everyCaller(app: TestApp, home: TestOrganization, other: TestOrganization): Promise<Caller[]> {
  const { owner } = home.members;
  const disabled = await aPerson(app, `disabled-of-${home.marker}`, { isDisabled: true });
  const disabledAtProvider = await aPerson(app, `deleted-of-${home.marker}`, { isDisabled: true, isDeletedAtProvider: true });
  const signedOut = await aPerson(app, `signed-out-of-${home.marker}`, { isSignedOut: true });
  const unverified = { ...(await aPerson(app, `unverified-of-${home.marker}`)), isEmailVerified: false };
  const staff = await aPerson(app, `staff-${other.marker}`, { isStaff: true });
  const removed = await aPerson(app, `removed-of-${home.marker}`);
  const keyOf = (maker: TestUser, role: Role): Promise<string> => aKeyOf(app, home, maker, role);
  await app.database.query(
    `insert into members (organization_id, user_id, role) select $1, uid, 'owner' from unnest($2::text[]) as uid`,
    [home.organizationId, [disabled, disabledAtProvider, signedOut, unverified].map(({ uid }) => uid)],
  );
  const secured = (user: TestUser): TestUser => ({ ...user, hasSecondFactor: true });
  const anHourAgo = new Date(Date.now() - 3_600_000);
  return [
    caller('anonymous', 'nobody', null),
    caller('garbage', 'refused', 'garbage'),
    caller('expired', 'refused', tokenFor(owner, { expiresAt: anHourAgo })),
    caller('token of another project', 'refused', tokenFor(owner, { audience: 'another-project' })),
    ...(['exp', 'iat', 'sub', 'auth_time'] as const).map((claim) =>
      caller(`token without ${claim}`, 'refused', tokenFor(owner, { without: claim })),
    ),
    caller('disabled owner', 'refused', tokenFor(disabled)),
    caller('owner deleted at the identity provider', 'refused', tokenFor(disabledAtProvider)),
    caller('owner whose sign-ins were revoked', 'refused', tokenFor(signedOut)),
    caller('revoked key', 'refused', home.revokedKey),
    caller('expired key', 'refused', home.expiredKey),
    caller('key of a removed creator', 'refused', await keyOf(removed, 'admin')),
    caller('key of a disabled creator', 'refused', await keyOf(disabled, 'admin')),
    caller('key of a demoted creator', 'key', await keyOf(home.members.viewer, 'admin'), { role: 'viewer' }),
    caller('unverified e-mail', 'person', tokenFor(secured(unverified)), { user: unverified, role: 'owner', isVerified: false }),
    ...ROLES.map((role) =>
      caller(`${role} without a second factor`, 'person', tokenFor(home.members[role]), {
        user: home.members[role],
        role,
        hasSecondFactor: false,
      }),
    ),
    caller('owner of another', 'person', tokenFor(other.members.owner), { user: other.members.owner }),
    caller('super_admin', 'person', tokenFor(staff), { user: staff, isStaff: true }),
    caller('key of another', 'key', other.keys.owner),
    ...ROLES.map((role) => caller(role, 'person', tokenFor(secured(home.members[role])), { user: home.members[role], role })),
    ...ROLES.map((role) => caller(`key of ${role}`, 'key', home.keys[role], { role })),
  ];
}

/** The result of a handler's rule for a caller who names the home organization. */
export type Outcome =
  | 'passes'
  | 'unauthenticated'
  | 'person needed'
  | 'missing'
  | 'role too low'
  | 'second factor required'
  | 'e-mail unverified';

/** What a handler requires of its callers. */
export interface Rules {
  rule: AccessRule;
  needsVerifiedEmail: boolean;
}

/** Checks access in its own code. Members may read the home organization with it. */
const READS_DOCUMENTS = '/api/getOrganizationData';

const lacksSecondFactor = ({ kind, role, hasSecondFactor }: Caller): boolean =>
  kind === 'person' && !hasSecondFactor && (role === 'owner' || role === 'admin');

export function outcomeOf(who: Caller, { rule, needsVerifiedEmail }: Rules, path: string): Outcome {
  // Requires the key of the endpoint, which is neither a sign-in nor an API key.
  if (path.startsWith('/push/')) return 'unauthenticated';
  if (rule.kind === 'public') return 'passes';
  if (who.kind === 'nobody') return rule.kind === 'optional' ? 'passes' : 'unauthenticated';
  if (who.kind === 'refused') return 'unauthenticated';
  if (who.kind === 'key' && !path.startsWith('/api/v1/')) return 'unauthenticated';
  if (path === READS_DOCUMENTS && lacksSecondFactor(who)) return 'second factor required';
  if (rule.kind === 'signed-in' && rule.acceptsKeys) return 'passes';
  if (rule.kind !== 'permission') return who.kind === 'key' ? 'person needed' : 'passes';
  if (who.isStaff && isAllowedOnVisit(rule.permission)) return 'passes';
  if (who.role === null) return 'missing';
  if (who.kind === 'key' && PERSON_ONLY.has(rule.permission)) return 'person needed';
  if (!isAllowed(who.role, rule.permission)) return 'role too low';
  if (lacksSecondFactor(who)) return 'second factor required';
  return needsVerifiedEmail && !who.isVerified ? 'e-mail unverified' : 'passes';
}
