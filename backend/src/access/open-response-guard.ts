import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Problem } from '../core/http/problem.js';
import { AccessQueries } from './access.queries.js';
import { assertActiveUser, assertNotExpired, rejectionOf } from './access.service.js';
import { isAllowedOnVisit, type Permission } from './policy.js';
import { TokenVerifier } from './token-verifier.js';

export const bearerOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];

export const isApiKey = (token: string): boolean => token.startsWith('trb_');

/** For responses that stay open, such as event streams: repeats the guard's checks. */
@Injectable()
export class OpenResponseGuard {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly queries: AccessQueries,
  ) {}

  /** False when the guard would reject the same request. Records nothing, because the request itself is in the audit trail. */
  async isAllowed(token: string, organizationId: string, permission: Permission): Promise<boolean> {
    try {
      return isApiKey(token)
        ? await this.isKeyAllowed(token, organizationId, permission)
        : await this.isPersonAllowed(token, organizationId, permission);
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  private async isKeyAllowed(token: string, organizationId: string, permission: Permission): Promise<boolean> {
    const key = await this.queries.findApiKey(token);
    if (key?.organizationId !== organizationId) return false;
    assertNotExpired(key);
    return rejectionOf({ role: key.role, apiKey: key, hasSecondFactor: false, requiresSecondFactor: false }, permission) === null;
  }

  private async isPersonAllowed(token: string, organizationId: string, permission: Permission): Promise<boolean> {
    const identity = await this.tokens.verify(token);
    const member = await this.queries.findMember(identity.uid, organizationId);
    assertActiveUser(member, identity);
    if (!member?.isThere) return false;
    if (member.role === null) return member.isSuperAdmin && isAllowedOnVisit(permission);
    return rejectionOf({ ...identity, ...member }, permission) === null;
  }
}
