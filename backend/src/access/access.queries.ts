import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../core/database/database.js';
import { BatchedLookup } from './batched-lookup.js';
import { type Access, accessSql } from './entitlement.js';
import { ENV, type Env } from '../core/config/env.js';
import type { Role } from './policy.js';

// SQL: one statement for all requests that wait, with the access rule and the time of the database.

export interface PersonAccess {
  isDisabled: boolean;
  isSuperAdmin: boolean;
  /** Tokens of earlier sign-ins are rejected. */
  tokensValidAfter: Date | null;
  /** The stored e-mail address if it is not verified, otherwise null. */
  unverifiedEmail: string | null;
}

export interface MemberAccess extends PersonAccess {
  /** Whether the organization exists and is not deleted. */
  isThere: boolean;
  role: Role | null;
  /** Whether owners and admins need a second factor. */
  requiresSecondFactor: boolean;
  /** Access that the organization's subscription grants. */
  access: Access;
}

export interface ApiKeyAccess {
  id: string;
  name: string;
  organizationId: string;
  role: Role;
  /** Access that the organization's subscription grants. */
  access: Access;
  uid: string;
  email: string;
  isEmailVerified: boolean;
  fullName: string;
  expiresAt: Date;
  isExpired: boolean;
}

interface Membership {
  uid: string;
  organizationId: string;
}

const idOf = ({ uid, organizationId }: Membership): string => `${organizationId} ${uid}`;

const UNVERIFIED_EMAIL = `case when u.is_email_verified then null else u.email end as "unverifiedEmail"`;

/** Queries of the access guard. They run for every request, so they are prepared once per connection. */
@Injectable()
export class AccessQueries {
  private readonly access: string;
  private readonly members = new BatchedLookup(idOf, (asked: Membership[]) => this.findMembers(asked));

  constructor(
    @Inject(ENV) env: Env,
    private readonly database: Database,
  ) {
    this.access = accessSql(env, 's');
  }

  /** Fails when the database does not respond. */
  async ping(): Promise<void> {
    await this.database.ping();
  }

  /** Null for a user who is not stored yet. */
  async findPerson(uid: string): Promise<PersonAccess | null> {
    const { rows } = await this.database.pool.query<PersonAccess>({
      name: 'access-person',
      text: `select disabled_at is not null as "isDisabled", role = 'super_admin' as "isSuperAdmin",
                    tokens_valid_after as "tokensValidAfter", ${UNVERIFIED_EMAIL}
               from users u where uid = $1`,
      values: [uid],
    });
    return rows[0] ?? null;
  }

  /** The user's state, their role in the organization and its subscription access. Concurrent requests share one statement. */
  findMember(uid: string, organizationId: string): Promise<MemberAccess | null> {
    return this.members.find({ uid, organizationId });
  }

  private async findMembers(asked: Membership[]): Promise<Map<string, MemberAccess>> {
    const { rows } = await this.database.pool.query<MemberAccess & Membership>({
      name: 'access-members',
      text: `select u.uid, asked.organization_id as "organizationId", u.disabled_at is not null as "isDisabled",
                    u.role = 'super_admin' as "isSuperAdmin", u.tokens_valid_after as "tokensValidAfter",
                    ${UNVERIFIED_EMAIL}, o.id is not null as "isThere", m.role,
                    coalesce(o.require_second_factor, false) as "requiresSecondFactor", ${this.access} as access
               from unnest($1::uuid[], $2::text[]) as asked (organization_id, uid)
               join users u on u.uid = asked.uid
               left join organizations o on o.id = asked.organization_id and o.deleted_at is null
               left join members m on m.organization_id = o.id and m.user_id = u.uid
               left join subscriptions s on s.organization_id = o.id`,
      values: [asked.map(({ organizationId }) => organizationId), asked.map(({ uid }) => uid)],
    });
    return new Map(rows.map((row) => [idOf(row), row]));
  }

  /**
   * A key that is not revoked, of an organization that is not deleted, whose creator is still a member. Its role is limited to
   * the creator's role. The key may have expired.
   */
  async findApiKey(key: string): Promise<ApiKeyAccess | null> {
    const { rows } = await this.database.pool.query<ApiKeyAccess>({
      name: 'access-api-key',
      text: `select k.id, k.name, k.organization_id as "organizationId", least(k.role, m.role) as role, u.uid, u.email,
                    u.is_email_verified as "isEmailVerified", u.full_name as "fullName",
                    k.expires_at as "expiresAt", k.expires_at <= now() as "isExpired", ${this.access} as access
               from api_keys k
               join organizations o on o.id = k.organization_id and o.deleted_at is null
               join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
               join users u on u.uid = k.created_by and u.disabled_at is null
               left join subscriptions s on s.organization_id = k.organization_id
              where k.key_hash = $1 and k.revoked_at is null`,
      values: [createHash('sha256').update(key).digest('hex')],
    });
    return rows[0] ?? null;
  }
}
