import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { validate as isUuid } from 'uuid';
import { LOGGER } from '../core/observability/logger.js';
import { notFound, Problem } from '../core/http/problem.js';
import { type RateSubject, RateLimits } from '../core/http/rate-limits.js';
import {
  ACCESS_RULE,
  type AccessRule,
  type Actor,
  type AuthenticatedRequest,
  COUNTED_AS,
  type Identity,
  NEEDS_SUBSCRIPTION,
  NEEDS_VERIFIED_EMAIL,
  type OrganizationPlace,
} from './access.decorator.js';
import { AccessQueries, type PersonAccess } from './access.queries.js';
import {
  assertActiveUser,
  assertNotExpired,
  emailUnverified,
  personNeeded,
  rejectionOf,
  subscriptionRequired,
} from './access.service.js';
import { AccessWatch } from './access-watch.service.js';
import { isAllowedOnVisit, type Permission } from './policy.js';
import { bearerOf, isApiKey } from './open-response-guard.js';
import { TokenVerifier } from './token-verifier.js';

type PermissionRule = Extract<AccessRule, { kind: 'permission' }>;

/** Checks access before every handler. A handler without an access decorator throws an error for every request. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly reflector: Reflector,
    private readonly tokens: TokenVerifier,
    private readonly queries: AccessQueries,
    private readonly watch: AccessWatch,
    private readonly limits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_RULE, context.getHandler());
    if (!rule) throw new Error(`${context.getClass().name}.${context.getHandler().name} has no access decorator`);
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const response = http.getResponse<Response>();
    if (rule.kind === 'public') return true;
    if (rule.kind === 'optional' && !request.headers.authorization) return true;
    const identity = await this.identity(request);
    this.limits.count('user', identity.apiKey ? `key ${identity.apiKey.id}` : identity.uid, response);
    await this.watch.notify({ kind: 'authenticated', uid: identity.uid, isPerson: !identity.apiKey });
    if (rule.kind === 'permission') {
      const needs = (what: string) => this.reflector.get<boolean | undefined>(what, context.getHandler()) ?? false;
      request.actor = await this.actor(request, identity, rule, needs(NEEDS_SUBSCRIPTION));
      if (needs(NEEDS_VERIFIED_EMAIL) && !identity.isEmailVerified) throw emailUnverified();
      this.limits.count('organization', request.actor.organizationId, response);
      const subject = this.reflector.get<RateSubject | undefined>(COUNTED_AS, context.getHandler());
      if (subject) this.limits.count(subject, request.actor.organizationId, response);
      request.identity = request.actor;
    } else {
      const isKeyAccepted = rule.kind === 'signed-in' && rule.acceptsKeys;
      request.identity = isKeyAccepted && identity.apiKey ? identity : await this.person(identity);
    }
    return true;
  }

  private async identity(request: AuthenticatedRequest): Promise<Identity> {
    const token = bearerOf(request);
    if (!token) throw new Problem('auth.missing', 'Sign in to continue.');
    if (!isApiKey(token)) return this.tokens.verify(token);
    if (!request.path.startsWith('/api/v1/')) throw new Problem('auth.invalid', 'API keys are accepted below /api/v1/ only.');
    const key = await this.queries.findApiKey(token);
    if (!key) throw new Problem('auth.invalid', 'This API key is not valid.');
    assertNotExpired(key);
    const { id, name, organizationId, role, access, uid, email, isEmailVerified, fullName } = key;
    await this.watch.notify({ kind: 'key-used', apiKeyId: id, organizationId });
    const apiKey = { id, name, organizationId, role, access };
    const none = { picture: null, isSuperAdmin: false, hasSecondFactor: false, signedInAt: null };
    return { uid, email, isEmailVerified, name: fullName, apiKey, ...none };
  }

  private async person(identity: Identity): Promise<Identity> {
    if (identity.apiKey) throw personNeeded();
    const person = await this.queries.findPerson(identity.uid);
    await this.checkPerson(identity, person);
    return { ...identity, isSuperAdmin: person?.isSuperAdmin ?? false };
  }

  private async actor(request: AuthenticatedRequest, identity: Identity, rule: PermissionRule, isPaid: boolean): Promise<Actor> {
    const { permission } = rule;
    const organizationId = organizationOf(request, rule.organization);
    const found = identity.apiKey
      ? keyAccess(identity.apiKey, organizationId)
      : await this.memberAccess(identity, organizationId);
    const { role, isSuperAdmin, isThere, access } = found;
    const isVisit = role === null && isThere && isSuperAdmin && isAllowedOnVisit(permission);
    if (isVisit) await this.watch.notify({ kind: 'visited', identity, organizationId, permission });
    const problem = isVisit ? null : rejectionOf({ ...identity, ...found }, permission);
    if (problem && isThere) await this.reportRejection(identity, organizationId, permission, role, problem);
    if (problem) throw problem;
    if (isPaid && access === 'closed') throw subscriptionRequired();
    return { ...identity, isSuperAdmin, organizationId, role: role ?? 'viewer', isVisit };
  }

  private async memberAccess(identity: Identity, organizationId: string) {
    const member = await this.queries.findMember(identity.uid, organizationId);
    await this.checkPerson(identity, member);
    return member ?? { ...NO_MEMBER, access: 'closed' as const };
  }

  /** The token may be newer than the stored user: the e-mail address may have been verified since. */
  private async checkPerson(identity: Identity, person: PersonAccess | null): Promise<void> {
    assertActiveUser(person, identity);
    if (identity.isEmailVerified && person?.unverifiedEmail === identity.email)
      await this.watch.notify({ kind: 'email-verified', identity });
  }

  /** The request is rejected even when the audit entry cannot be stored. */
  private async reportRejection(
    identity: Identity,
    organizationId: string,
    permission: Permission,
    role: Actor['role'] | null,
    problem: Problem,
  ): Promise<void> {
    try {
      await this.watch.notify({ kind: 'refused', identity, organizationId, permission, role, code: problem.code });
    } catch (error) {
      this.logger.error({ err: error, organizationId }, 'failed to record a rejected access');
    }
  }
}

/** Callers who are not members must not learn whether the organization exists. */
const NO_MEMBER = { role: null, isSuperAdmin: false, isThere: true, requiresSecondFactor: false };

/**
 * An API key has access to one organization. A request for another existing organization is recorded in that one's audit trail.
 */
const keyAccess = (key: NonNullable<Identity['apiKey']>, organizationId: string) => ({
  role: key.organizationId === organizationId ? key.role : null,
  isSuperAdmin: false,
  isThere: true,
  requiresSecondFactor: false,
  access: key.access,
});

function organizationOf(request: AuthenticatedRequest, place: OrganizationPlace): string {
  const values = (place.in === 'params' ? request.params : place.in === 'query' ? request.query : request.body) as
    | Record<string, unknown>
    | undefined;
  const organizationId = values?.[place.name];
  if (typeof organizationId === 'string' && isUuid(organizationId)) return organizationId.toLowerCase();
  if (place.in === 'params') throw notFound('The organization');
  const message = `${place.name} must be a UUID`;
  throw new Problem('request.invalid', { detail: message, errors: [{ field: place.name, message }] });
}
