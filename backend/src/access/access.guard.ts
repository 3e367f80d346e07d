import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { validate as isUuid } from 'uuid';
import { LOGGER } from '../platform/logger.js';
import { notFound, Problem } from '../platform/problem.js';
import { RateLimits } from '../platform/rate-limits.js';
import {
  ACCESS_RULE,
  type AccessRule,
  type Actor,
  type AuthenticatedRequest,
  type Identity,
  NEEDS_SUBSCRIPTION,
  NEEDS_VERIFIED_EMAIL,
  type OrganizationPlace,
} from './access.decorator.js';
import { AccessQueries, type PersonAccess } from './access.queries.js';
import {
  emailUnverified,
  type Entry,
  lacksSecondFactor,
  roleTooLow,
  secondFactorRequired,
  subscriptionRequired,
} from './access.service.js';
import { AccessWatch } from './access-watch.service.js';
import { isAllowed, isAllowedOnVisit, type Permission } from './policy.js';
import { TokenVerifier } from './token-verifier.js';

const API_KEY = /^trb_/;
type PermissionRule = Extract<AccessRule, { kind: 'permission' }>;

/** Stands before every handler. A handler that does not say who may call it is called by nobody. */
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
    if (!rule) throw new Error(`${context.getClass().name}.${context.getHandler().name} does not say who may call it`);
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const response = http.getResponse<Response>();
    this.limits.count('address', request.ip ?? 'unknown', response);
    if (rule.kind === 'public') return true;
    if (rule.kind === 'optional' && !request.headers.authorization) return true;
    const identity = await this.identity(request);
    this.limits.count('user', identity.apiKey ? `key ${identity.apiKey.id}` : identity.uid, response);
    if (rule.kind === 'permission') {
      const needs = (what: string) => this.reflector.get<boolean | undefined>(what, context.getHandler()) ?? false;
      request.actor = await this.actor(request, identity, rule, needs(NEEDS_SUBSCRIPTION));
      if (needs(NEEDS_VERIFIED_EMAIL) && !identity.isEmailVerified) throw emailUnverified();
      this.limits.count('organization', request.actor.organizationId, response);
      request.identity = request.actor;
    } else {
      request.identity = await this.person(identity);
    }
    return true;
  }

  private async identity(request: AuthenticatedRequest): Promise<Identity> {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (!token) throw new Problem('auth.missing', 'Sign in to go on.');
    if (!API_KEY.test(token)) return this.tokens.verify(token);
    const key = request.path.startsWith('/api/v1/') ? await this.queries.findApiKey(token) : null;
    if (!key) throw new Problem('auth.invalid', 'This API key is not valid here.');
    const { id, name, organizationId, role, access, uid, email, isEmailVerified, fullName } = key;
    await this.watch.tell({ kind: 'key-used', apiKeyId: id, organizationId });
    const apiKey = { id, name, organizationId, role, access };
    const none = { picture: null, isSuperAdmin: false, hasSecondFactor: false };
    return { uid, email, isEmailVerified, name: fullName, apiKey, ...none };
  }

  private async person(identity: Identity): Promise<Identity> {
    if (identity.apiKey) throw new Problem('access.person_needed', 'An API key cannot do this; sign in as a person.');
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
    if (isVisit) await this.watch.tell({ kind: 'visited', identity, organizationId, permission });
    const problem = isVisit ? null : refusalOf({ ...identity, ...found }, permission);
    if (problem) {
      if (isThere) await this.tellRefusal(identity, organizationId, permission, role, problem);
      throw problem;
    }
    if (isPaid && access === 'closed') throw subscriptionRequired();
    return { ...identity, isSuperAdmin, organizationId, role: role ?? 'viewer', isVisit };
  }

  private async memberAccess(identity: Identity, organizationId: string) {
    const member = await this.queries.findMember(identity.uid, organizationId);
    await this.checkPerson(identity, member);
    return member ?? { ...NOBODY, access: 'closed' as const };
  }

  /** A token that is newer than our record may say that the e-mail address has been verified meanwhile. */
  private async checkPerson(identity: Identity, person: PersonAccess | null): Promise<void> {
    assertEnabled(person);
    if (identity.isEmailVerified && person?.unverifiedEmail === identity.email)
      await this.watch.tell({ kind: 'email-verified', identity });
  }

  /** A refusal stands even when it cannot be recorded. */
  private async tellRefusal(
    identity: Identity,
    organizationId: string,
    permission: Permission,
    role: Actor['role'] | null,
    problem: Problem,
  ): Promise<void> {
    try {
      await this.watch.tell({ kind: 'refused', identity, organizationId, permission, role, code: problem.code });
    } catch (error) {
      this.logger.error({ err: error, organizationId }, 'could not record a refused access');
    }
  }
}

/** Whether an organization exists is nobody's business but its members'. */
function refusalOf(entry: Entry, permission: Permission): Problem | null {
  if (entry.role === null) return notFound('The organization');
  if (!isAllowed(entry.role, permission)) return roleTooLow(entry.role, permission);
  return lacksSecondFactor(entry) ? secondFactorRequired() : null;
}

/** To somebody who has no record an organization may exist. */
const NOBODY = { role: null, isSuperAdmin: false, isThere: true, requiresSecondFactor: false };

/** To a key there is one organization. Another one's trail still hears of the attempt, if it exists. */
const keyAccess = (key: NonNullable<Identity['apiKey']>, organizationId: string) => ({
  role: key.organizationId === organizationId ? key.role : null,
  isSuperAdmin: false,
  isThere: true,
  requiresSecondFactor: false,
  access: key.access,
});

function assertEnabled(person: PersonAccess | null): void {
  if (person?.isDisabled) throw new Problem('auth.disabled', 'This account is disabled. Ask the operator of this instance.');
}

function organizationOf(request: AuthenticatedRequest, place: OrganizationPlace): string {
  const values = (place.in === 'params' ? request.params : place.in === 'query' ? request.query : request.body) as
    Record<string, unknown> | undefined;
  const organizationId = values?.[place.name];
  if (typeof organizationId === 'string' && isUuid(organizationId)) return organizationId.toLowerCase();
  if (place.in === 'params') throw notFound('The organization');
  const message = `${place.name} must be a UUID`;
  throw new Problem('request.invalid', { detail: message, errors: [{ field: place.name, message }] });
}
