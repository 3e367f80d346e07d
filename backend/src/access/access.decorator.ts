import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { Permission, Role } from './policy.js';

export type { Role };

/** Who is calling, from the token alone. */
export interface Identity {
  uid: string;
  email: string;
  isEmailVerified: boolean;
  name: string | null;
  picture: string | null;
}

/** A member acting in an organization. */
export interface Actor extends Identity {
  organizationId: string;
  role: Role;
}

export type AccessRule = { kind: 'public' } | { kind: 'signed-in' } | { kind: 'permission'; permission: Permission };

export const ACCESS_RULE = 'access-rule';

/** Anybody may call it. */
export const Public = (): MethodDecorator => SetMetadata(ACCESS_RULE, { kind: 'public' } satisfies AccessRule);

/** Anybody with a valid sign-in may call it; what they reach is up to the handler. */
export const SignedIn = (): MethodDecorator => SetMetadata(ACCESS_RULE, { kind: 'signed-in' } satisfies AccessRule);

/** Members of the organization named in the path, with a role that holds the permission. To others it does not exist. */
export const RequirePermission = (permission: Permission): MethodDecorator =>
  SetMetadata(ACCESS_RULE, { kind: 'permission', permission } satisfies AccessRule);

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

/** The caller of a `@RequirePermission()` handler. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { actor } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!actor) throw new Error('CurrentActor on a handler without a permission');
  return actor;
});
