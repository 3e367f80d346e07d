import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { Access } from './entitlement.js';
import type { RateSubject } from '../core/http/rate-limits.js';
import { type Permission, type Role, ROLES } from './policy.js';

export { type Permission, type Role, ROLES };

/** A program's key; it acts in the name of its maker. */
export interface ApiKeyIdentity {
  id: string;
  name: string;
  organizationId: string;
  /** What it may do now: never more than its maker. */
  role: Role;
  /** What its organization's subscription opens. */
  access: Access;
}

/** Who is calling, from the token alone. */
export interface Identity {
  uid: string;
  email: string;
  isEmailVerified: boolean;
  /** Whether this sign-in used a second factor. Always false for a key: it is not a person. */
  hasSecondFactor: boolean;
  name: string | null;
  picture: string | null;
  /** When the person signed in (`auth_time` of the token); null for an API key. */
  signedInAt: Date | null;
  /** Set when a program calls; who it is then is the key's maker. */
  apiKey: ApiKeyIdentity | null;
  /** Platform staff, as the database says. */
  isSuperAdmin: boolean;
}

/** A member acting in an organization. */
export interface Actor extends Identity {
  organizationId: string;
  role: Role;
  /** Platform staff looking in, read-only, without being a member. */
  isVisit: boolean;
}

/** Where a call names the organization. */
export interface OrganizationPlace {
  in: 'params' | 'body' | 'query';
  name: string;
}

export type AccessRule =
  | { kind: 'public' }
  | { kind: 'optional' }
  | { kind: 'signed-in' }
  | { kind: 'permission'; permission: Permission; organization: OrganizationPlace };

export const ACCESS_RULE = 'access-rule';

/** Anybody may call it. */
export const Public = (): MethodDecorator => SetMetadata(ACCESS_RULE, { kind: 'public' } satisfies AccessRule);

/** Anybody with a valid sign-in may call it; what they reach is up to the handler. */
export const SignedIn = (): MethodDecorator => SetMetadata(ACCESS_RULE, { kind: 'signed-in' } satisfies AccessRule);

/** Anybody may call it; who signs in is known to the handler. */
export const MaySignIn = (): MethodDecorator => SetMetadata(ACCESS_RULE, { kind: 'optional' } satisfies AccessRule);

/** Members of the named organization, with a role that holds the permission. To others it does not exist. */
export const RequirePermission = (
  permission: Permission,
  organization: OrganizationPlace = { in: 'params', name: 'organizationId' },
): MethodDecorator => SetMetadata(ACCESS_RULE, { kind: 'permission', permission, organization } satisfies AccessRule);

export const NEEDS_SUBSCRIPTION = 'needs-subscription';

/** What is paid for: refused with 402 while the organization's subscription is closed. Only beside `@RequirePermission()`. */
export const RequireSubscription = (): MethodDecorator => SetMetadata(NEEDS_SUBSCRIPTION, true);

export const COUNTED_AS = 'counted-as';

/** Adds a rate limit per organization to the usual ones. Only together with `@RequirePermission()`. */
export const CountedAs = (subject: RateSubject): MethodDecorator => SetMetadata(COUNTED_AS, subject);
export const NEEDS_VERIFIED_EMAIL = 'needs-verified-email';

/** For calls that reach other people: 403 until the caller's e-mail is verified. Only with `@RequirePermission()`. */
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
