import { Problem } from '../platform/problem.js';
import type { Actor, Identity } from './access.decorator.js';
import { isAllowed, isAtMost, type Permission, permissionsOf, POLICY, type Role, ROLES } from './policy.js';

/** What rooms ask of the policy when the guard's one permission is not the whole story. */
export { isAtMost, permissionsOf, ROLES };

export const roleTooLow = (role: Role, permission: Permission): Problem =>
  new Problem('access.role_too_low', `You are ${role} here; this takes ${POLICY[permission]}. Ask an owner of the organization.`);

export const subscriptionRequired = (): Problem =>
  new Problem('subscription.required', {
    detail: 'The organization has no subscription that is paid for, so this rests. Nothing is deleted.',
    action: 'Choose a plan',
  });

export const emailUnverified = (): Problem =>
  new Problem('auth.email_unverified', {
    detail: 'Your e-mail address is not verified.',
    action: 'Verify your e-mail address',
  });

export const secondFactorRequired = (detail = 'This organization requires two-step sign-in for owners and admins.'): Problem =>
  new Problem('auth.second_factor_required', { detail, action: 'Set up two-step sign-in, then sign in with it' });

/** From this role up a person needs a second factor where the organization requires one. */
const LEAST_SECURED_ROLE: Role = 'admin';

/** Somebody who enters an organization; the role is null for a stranger. */
export interface Entry extends Pick<Identity, 'apiKey' | 'hasSecondFactor'> {
  role: Role | null;
  requiresSecondFactor: boolean;
}

/** Of owners and admins, where the organization requires a second factor. API keys are not people and keep working. */
export const lacksSecondFactor = ({ apiKey, hasSecondFactor, role, requiresSecondFactor }: Entry): boolean =>
  requiresSecondFactor && !apiKey && !hasSecondFactor && role !== null && isAtMost(LEAST_SECURED_ROLE, role);

export function assertSecondFactor(entry: Entry): void {
  if (lacksSecondFactor(entry)) throw secondFactorRequired();
}

export function assertAllowed(actor: Actor, permission: Permission): void {
  if (actor.isVisit || !isAllowed(actor.role, permission)) throw roleTooLow(actor.role, permission);
}

/** Nobody changes, invites or removes above their own role. */
export function assertNotAbove(own: Role, other: Role): void {
  if (!isAtMost(other, own)) throw new Problem('access.role_too_low', `You are ${own} here; you cannot act on an ${other}.`);
}

export function assertPerson(identity: Identity): void {
  if (identity.apiKey) throw new Problem('access.person_needed', 'An API key cannot do this; sign in as a person.');
}
