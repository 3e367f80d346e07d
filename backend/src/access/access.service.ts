import { notFound, Problem } from '../core/http/problem.js';
import type { TenantQuery } from '../core/database/tenant-database.js';
import type { Actor, Identity } from './access.decorator.js';
import type { ApiKeyAccess, PersonAccess } from './access.queries.js';
import {
  HIGHEST_INVITED_BY_KEY,
  isAllowed,
  isAtMost,
  PERSON_ONLY,
  type Permission,
  permissionsOf,
  POLICY,
  type Role,
} from './policy.js';

// SQL: locks the caller's membership, and reads users, which are outside of Prisma's tenant client.

/** Policy checks for modules that need more than the guard's permission check. */
export { isAllowed, isAtMost, permissionsOf };

export function roleTooLow(role: Role, permission: Permission, isKey = false): Problem {
  const needed = `but this requires ${POLICY[permission]} or higher.`;
  return new Problem(
    'access.role_too_low',
    isKey
      ? `The role of this API key is ${role}, ${needed} Use a key with that role.`
      : `Your role is ${role}, ${needed} Ask an owner of the organization.`,
  );
}

export const subscriptionRequired = (): Problem =>
  new Problem('subscription.required', {
    detail: 'The organization has no active subscription, so this feature is paused. No data is deleted.',
    action: 'Choose a plan',
  });

export const emailUnverified = (): Problem =>
  new Problem('auth.email_unverified', {
    detail: 'Your e-mail address is not verified.',
    action: 'Verify your e-mail address',
  });

export const secondFactorRequired = (detail = 'This organization requires two-step sign-in for owners and admins.'): Problem =>
  new Problem('auth.second_factor_required', { detail, action: 'Set up two-step sign-in, then sign in with it' });

/** The lowest role that needs a second factor when the organization requires one. */
const LEAST_SECURED_ROLE: Role = 'admin';

/** The caller in an organization; the role is null for callers who are not members. */
export interface Entry extends Pick<Identity, 'apiKey' | 'hasSecondFactor'> {
  role: Role | null;
  requiresSecondFactor: boolean;
}

/** Whether an owner or admin signed in without a second factor that the organization requires. API keys are exempt. */
export const lacksSecondFactor = ({ apiKey, hasSecondFactor, role, requiresSecondFactor }: Entry): boolean =>
  requiresSecondFactor && !apiKey && !hasSecondFactor && role !== null && isAtMost(LEAST_SECURED_ROLE, role);

export function assertSecondFactor(entry: Entry): void {
  if (lacksSecondFactor(entry)) throw secondFactorRequired();
}

export function assertAllowed(actor: Actor, permission: Permission): void {
  if (actor.isVisit || !isAllowed(actor.role, permission)) throw roleTooLow(actor.role, permission, Boolean(actor.apiKey));
}

/** A user cannot change, invite or remove members with a higher role. */
export function assertNotAbove(own: Role, other: Role): void {
  if (!isAtMost(other, own)) throw new Problem('access.role_too_low', `Your role is ${own}. You cannot change an ${other}.`);
}

export const personNeeded = (): Problem => new Problem('access.person_needed', 'An API key cannot do this. Sign in as a user.');

/** The problem that rejects the caller, or null. Callers who are not members get 404. */
export function rejectionOf(entry: Entry, permission: Permission): Problem | null {
  const { role, apiKey } = entry;
  if (role === null) return notFound('The organization');
  if (apiKey && PERSON_ONLY.has(permission)) return personNeeded();
  if (!isAllowed(role, permission)) return roleTooLow(role, permission, Boolean(apiKey));
  return lacksSecondFactor(entry) ? secondFactorRequired() : null;
}

export function assertKeyMayInvite({ apiKey }: Actor, role: Role): void {
  if (apiKey && !isAtMost(role, HIGHEST_INVITED_BY_KEY)) throw personNeeded();
}

/** The invited role cannot be above the caller's role. An API key can invite up to editor. */
export function assertMayInvite(actor: Actor, ownRole: Role, role: Role): void {
  assertKeyMayInvite(actor, role);
  if (!isAllowed(ownRole, 'invitations.write')) throw roleTooLow(ownRole, 'invitations.write', Boolean(actor.apiKey));
  assertNotAbove(ownRole, role);
}

/**
 * The caller's current role, which may be lower than when the guard checked. Locked until the transaction ends: a removal or
 * demotion of the caller waits, and then also revokes what this transaction has created.
 */
export async function lockOwnRole(query: TenantQuery, { uid, role }: Actor): Promise<Role> {
  await query('select 1 from members where organization_id = $1 and user_id = $2 for share', [uid]);
  // A separate statement, because one that waited for the lock would not see that the user was disabled.
  const [member] = await query<{ role: Role }>(
    `select m.role from members m join users u on u.uid = m.user_id and u.disabled_at is null
      where m.organization_id = $1 and m.user_id = $2`,
    [uid],
  );
  if (!member) throw notFound('The organization');
  return isAtMost(member.role, role) ? member.role : role;
}

/** Rejects disabled users and revoked sign-ins. */
export function assertActiveUser(person: PersonAccess | null, { signedInAt }: Pick<Identity, 'signedInAt'>): void {
  if (!person) return;
  if (person.isDisabled) throw new Problem('auth.disabled', 'This account is disabled. Ask the operator of this instance.');
  const { tokensValidAfter } = person;
  if (tokensValidAfter && signedInAt && signedInAt < tokensValidAfter)
    throw new Problem('auth.revoked', 'Your sign-in was revoked. Sign in again.');
}

/** Called after the key's hash was verified, so that only the key's owner learns that it has expired. */
export function assertNotExpired({ expiresAt, isExpired }: ApiKeyAccess): void {
  if (!isExpired) return;
  throw new Problem('auth.key_expired', {
    detail: `This API key expired on ${expiresAt.toISOString().slice(0, 10)}.`,
    action: 'Create a new key in the settings of the organization',
  });
}
