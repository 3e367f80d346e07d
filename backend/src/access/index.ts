/** What other modules may use of `access`. */
export { type AccessNotice, AccessWatch } from './access-watch.service.js';
export {
  ACCESS_RULE,
  type AccessRule,
  type Actor,
  type AuthenticatedRequest,
  CountedAs,
  CurrentActor,
  CurrentIdentity,
  type Identity,
  MaySignIn,
  NEEDS_SUBSCRIPTION,
  NEEDS_VERIFIED_EMAIL,
  OptionalIdentity,
  type Permission,
  Public,
  RequirePermission,
  RequireSubscription,
  RequireVerifiedEmail,
  type Role,
  ROLES,
  SignedIn,
} from './access.decorator.js';
export { AccessModule } from './access.module.js';
export {
  assertAllowed,
  assertKeyMayInvite,
  assertMayInvite,
  assertNotAbove,
  assertSecondFactor,
  emailUnverified,
  isAllowed,
  isAtMost,
  lockOwnRole,
  permissionsOf,
  roleTooLow,
  secondFactorRequired,
  subscriptionRequired,
} from './access.service.js';
export { type Access, accessSql, isBilled } from './entitlement.js';
export { Firebase } from './firebase.js';
export { assertOwnId } from './own-id.guard.js';
export { PERSON_ONLY, POLICY, rolesAbove } from './policy.js';
export { bearerOf, OpenResponseGuard } from './open-response-guard.js';
