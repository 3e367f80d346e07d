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
