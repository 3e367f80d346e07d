import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { Access } from './entitlement.js';
import type { RateSubject } from '../core/http/rate-limits.js';
import { type Permission, type Role, ROLES } from './policy.js';

export { type Permission, type Role, ROLES };

/** The API key of a request. It acts on behalf of its creator. */
export interface ApiKeyIdentity {
  id: string;
  name: string;
  organizationId: string;
  /** The key's current role, which is never above its creator's role. */
  role: Role;
  /** Access that the organization's subscription grants. */
  access: Access;
}

/** The caller, as identified by the token. */
export interface Identity {
  uid: string;
  email: string;
  isEmailVerified: boolean;
  /** Whether this sign-in used a second factor. Always false for an API key. */
  hasSecondFactor: boolean;
  name: string | null;
  picture: string | null;
  /** When the person signed in (`auth_time` of the token); null for an API key. */
  signedInAt: Date | null;
  /** Set for a request with an API key. The other fields then describe the key's creator. */
  apiKey: ApiKeyIdentity | null;
  /** Whether the database marks the user as platform staff. */
  isSuperAdmin: boolean;
}

/** A member acting in an organization. */
export interface Actor extends Identity {
  organizationId: string;
  role: Role;
  /** Read-only access of platform staff who are not members. */
  isVisit: boolean;
}

/** The request field that contains the organization's id. */
export interface OrganizationPlace {
  in: 'params' | 'body' | 'query';
  name: string;
}

export type AccessRule =
  | { kind: 'public' }
  | { kind: 'optional' }
  | { kind: 'signed-in'; acceptsKeys: boolean }
  | { kind: 'permission'; permission: Permission; organization: OrganizationPlace };

export const ACCESS_RULE = 'access-rule';

/** No sign-in is required. */
export const Public = (): MethodDecorator => SetMetadata(ACCESS_RULE, { kind: 'public' } satisfies AccessRule);

/** Any signed-in user may call it. The handler checks access to resources. */
export const SignedIn = ({ acceptsKeys } = { acceptsKeys: false }): MethodDecorator =>
  SetMetadata(ACCESS_RULE, { kind: 'signed-in', acceptsKeys } satisfies AccessRule);

/** No sign-in is required. The handler receives the identity of a signed-in user. */
export const MaySignIn = (): MethodDecorator => SetMetadata(ACCESS_RULE, { kind: 'optional' } satisfies AccessRule);

/** Requires a member of the organization whose role has the permission. Returns 404 to users who are not members. */
export const RequirePermission = (
  permission: Permission,
  organization: OrganizationPlace = { in: 'params', name: 'organizationId' },
): MethodDecorator => SetMetadata(ACCESS_RULE, { kind: 'permission', permission, organization } satisfies AccessRule);

export const NEEDS_SUBSCRIPTION = 'needs-subscription';

/** Returns 402 while the organization has no active subscription. Only together with `@RequirePermission()`. */
export const RequireSubscription = (): MethodDecorator => SetMetadata(NEEDS_SUBSCRIPTION, true);

export const COUNTED_AS = 'counted-as';

/** Adds a rate limit per organization to the default ones. Only together with `@RequirePermission()`. */
export const CountedAs = (subject: RateSubject): MethodDecorator => SetMetadata(COUNTED_AS, subject);
export const NEEDS_VERIFIED_EMAIL = 'needs-verified-email';

/** For actions that contact other people: returns 403 until the caller's e-mail is verified. Only with `@RequirePermission()`. */
export const RequireVerifiedEmail = (): MethodDecorator => SetMetadata(NEEDS_VERIFIED_EMAIL, true);

export interface AuthenticatedRequest extends Request {
  identity?: Identity;
  actor?: Actor;
}

/** The caller of a `@SignedIn()` handler. */
export const CurrentIdentity = createParamDecorator((_: unknown, context: ExecutionContext): Identity => {
  const { identity } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!identity) throw new Error('CurrentIdentity on a public handler');
  return identity;
});

/** The caller of a `@MaySignIn()` handler, or null. */
export const OptionalIdentity = createParamDecorator(
  (_: unknown, context: ExecutionContext): Identity | null =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().identity ?? null,
);

/** The caller of a `@RequirePermission()` handler. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { actor } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!actor) throw new Error('CurrentActor on a handler without a permission');
  return actor;
});
