import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { validate as isUuid } from 'uuid';
import { notFound, Problem } from '../platform/problem.js';
import { ACCESS_RULE, type AccessRule, type Actor, type AuthenticatedRequest, type Identity } from './access.decorator.js';
import { AccessQueries } from './access.queries.js';
import { isAllowed, type Permission, POLICY } from './policy.js';
import { TokenVerifier } from './token-verifier.js';

/** Stands before every handler. A handler that does not say who may call it is called by nobody. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokenVerifier,
    private readonly queries: AccessQueries,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_RULE, context.getHandler());
    if (!rule) throw new Error(`${context.getClass().name}.${context.getHandler().name} does not say who may call it`);
    if (rule.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    request.identity = await this.identity(request);
    if (rule.kind === 'permission') request.actor = await this.actor(request, request.identity, rule.permission);
    return true;
  }

  private identity(request: AuthenticatedRequest): Promise<Identity> {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (!token) throw new Problem('auth.missing', 'Sign in to go on.');
    return this.tokens.verify(token);
  }

  private async actor(request: AuthenticatedRequest, identity: Identity, permission: Permission): Promise<Actor> {
    const organizationId = request.params['organizationId'];
    if (typeof organizationId !== 'string' || !isUuid(organizationId)) throw notFound('The organization');
    const role = await this.queries.findRole(identity.uid, organizationId);
    // Whether an organization exists is nobody's business but its members'.
    if (!role) throw notFound('The organization');
    if (!isAllowed(role, permission)) {
      throw new Problem(
        'access.role_too_low',
        `You are ${role} here; this takes ${POLICY[permission]}. Ask an owner of the organization.`,
      );
    }
    return { ...identity, organizationId, role };
  }
}
