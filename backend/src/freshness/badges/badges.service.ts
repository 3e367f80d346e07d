import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { newId } from '../../core/database/identifiers.js';
import { type TenantQuery, TenantDatabase } from '../../core/database/tenant-database.js';
import { notFound } from '../../core/http/problem.js';
import type { BadgeAnswer, BadgeEntry, CreateBadgeBody, NewBadge } from './badges.dto.js';

// SQL: locks what the badge shows, and joins users, which are outside of Prisma's tenant client.

export const BADGE_PATH = 'api/v1/badges';
const TOKEN_BYTES = 32;
const DEFAULT_LABEL = 'data';

export const hashOfBadge = (token: string): string => createHash('sha256').update(token).digest('hex');

type BadgeRow = Omit<BadgeEntry, 'createdAt'> & { createdAt: Date };

/** Creates and revokes badges. `connectionId: null` is the badge of the organization. */
@Injectable()
export class BadgesService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
  ) {}

  async get(organizationId: string, connectionId: string | null): Promise<BadgeAnswer> {
    if (connectionId) {
      const where = { id: connectionId, deletedAt: null, paymentId: null };
      const connection = await this.tenants.of(organizationId).connection.findFirst({ where, select: { id: true } });
      if (!connection) throw notFound('The connection');
    }
    const [row] = await this.tenants.query<BadgeRow>(
      organizationId,
      `select b.id, b.label, b.created_at as "createdAt", u.full_name as "createdBy"
         from freshness_badges b left join users u on u.uid = b.created_by
        where b.organization_id = $1 and b.connection_id is not distinct from $2::uuid and b.revoked_at is null`,
      [connectionId],
    );
    return { badge: row ? { ...row, createdAt: row.createdAt.toISOString() } : null };
  }

  /** A new badge revokes the previous one. */
  async create(actor: Actor, connectionId: string | null, { label = DEFAULT_LABEL }: CreateBadgeBody): Promise<NewBadge> {
    const { organizationId, uid } = actor;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await this.tenants.write(organizationId, async ({ freshnessBadge }, query) => {
      const name = await lockOwner(query, connectionId);
      await freshnessBadge.updateMany({ where: { connectionId, revokedAt: null }, data: { revokedAt: new Date() } });
      const tokenHash = hashOfBadge(token);
      await freshnessBadge.create({ data: { organizationId, id: newId(), connectionId, label, tokenHash, createdBy: uid } });
      await this.record(actor, query, 'created', connectionId, name);
    });
    const { badge } = await this.get(organizationId, connectionId);
    if (!badge) throw notFound('The badge');
    return { url: `${this.env.PUBLIC_URL}/${BADGE_PATH}/${token}.svg`, badge };
  }

  /** Repeated calls change nothing. */
  async revoke(actor: Actor, badgeId: string): Promise<void> {
    await this.tenants.write(actor.organizationId, async ({ freshnessBadge }, query) => {
      const revoked = { where: { id: badgeId, revokedAt: null }, data: { revokedAt: new Date() } };
      const { count } = await freshnessBadge.updateMany(revoked);
      const badge = await freshnessBadge.findFirst({ where: { id: badgeId } });
      if (!badge) throw notFound('The badge');
      if (count > 0) await this.record(actor, query, 'revoked', badge.connectionId, badge.label);
    });
  }

  private record(actor: Actor, query: TenantQuery, verb: string, connectionId: string | null, name: string): Promise<void> {
    const target = connectionId
      ? { type: 'connection', id: connectionId, name }
      : { type: 'organization', id: actor.organizationId, name };
    return this.audit.record(actor, { action: `badge.${verb}`, target }, query);
  }
}

/** Returns the name of what the badge shows. The lock makes simultaneous calls leave one badge. */
async function lockOwner(query: TenantQuery, connectionId: string | null): Promise<string> {
  const [owner] = connectionId
    ? await query<{ name: string }>(
        `select name from connections
          where organization_id = $1 and id = $2::uuid and deleted_at is null and payment_id is null for no key update`,
        [connectionId],
      )
    : await query<{ name: string }>('select name from organizations where id = $1 for no key update');
  if (!owner) throw notFound('The connection');
  return owner.name;
}
