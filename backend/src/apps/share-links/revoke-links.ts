import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isAllowed } from '../../access/index.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import { type EndedAccess, RevokeAccess } from '../../users/index.js';

/** Revokes share links and active sign-ins at platforms of users who may no longer connect apps. */
@Injectable()
export class RevokeLinks implements OnModuleInit {
  constructor(private readonly revokeAccess: RevokeAccess) {}

  onModuleInit(): void {
    this.revokeAccess.register('shareLinks', revokeLinksOf);
  }
}

async function revokeLinksOf(query: TenantQuery, { userId, role }: EndedAccess): Promise<string[]> {
  if (role !== null && isAllowed(role, 'apps.write')) return [];
  // PostgreSQL evaluates the condition again after a lock wait: a link that is used at the same time is not revoked.
  const links = await query<{ name: string }>(
    `update app_share_links l set revoked_at = now()
       from apps a
      where l.organization_id = $1 and l.created_by = $2 and l.used_at is null and l.revoked_at is null
        and l.expires_at > now()
        and a.organization_id = l.organization_id and a.id = l.app_id
     returning a.display_name as name`,
    [userId],
  );
  await query(
    `update oauth_states set used_at = coalesce(used_at, now()), held_grant = null
      where organization_id = $1 and user_id = $2 and (used_at is null or held_grant is not null)`,
    [userId],
  );
  return links.map(({ name }) => name);
}
