import type { ProviderName } from '../../connectors/kit/contract.js';
import { Injectable } from '@nestjs/common';
import { Database } from '../../core/database/database.js';

// SQL: one statement by the token, before the organization is known.

export interface ShareLink {
  id: string;
  organizationId: string;
  organizationName: string;
  appId: string;
  appName: string;
  provider: ProviderName;
  /** E-mail of the provider's user who must sign in. */
  externalUser: string | null;
  /** uid, name and e-mail of the member who shared it. */
  createdBy: string;
  askedBy: string | null;
  askedByEmail: string | null;
  expiresAt: Date;
  usedAt: Date | null;
  revokedAt: Date | null;
}

const SELECT = `
  select l.id, l.organization_id as "organizationId", o.name as "organizationName", l.app_id as "appId",
         a.display_name as "appName", a.provider, a.external_user as "externalUser", l.created_by as "createdBy",
         u.full_name as "askedBy", u.email as "askedByEmail",
         l.expires_at as "expiresAt", l.used_at as "usedAt", l.revoked_at as "revokedAt"
    from app_share_links l
    join apps a on a.organization_id = l.organization_id and a.id = l.app_id and a.deleted_at is null
    join organizations o on o.id = l.organization_id and o.deleted_at is null
    left join users u on u.uid = l.created_by`;

/** The holder of a link is identified only by its token, so the link determines the organization. */
@Injectable()
export class ShareLinksQueries {
  constructor(private readonly database: Database) {}

  async findByHash(tokenHash: string): Promise<ShareLink | null> {
    return (await this.database.pool.query<ShareLink>(`${SELECT} where l.token_hash = $1`, [tokenHash])).rows[0] ?? null;
  }

  async findById(id: string): Promise<ShareLink | null> {
    return (await this.database.pool.query<ShareLink>(`${SELECT} where l.id = $1`, [id])).rows[0] ?? null;
  }
}
