import { Injectable } from '@nestjs/common';
import { IdCursor } from '../../core/database/cursor.js';
import type { PageQuery } from '../../core/http/page.dto.js';
import { notFound } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { FIRST_WARNING_DAYS } from './api-key-lifetime.js';
import type { ApiKey, ApiKeyPage } from './api-keys.dto.js';

// SQL: a list in one statement, whose state follows the clock of the database.

type ApiKeyRow = Omit<ApiKey, 'createdAt' | 'expiresAt' | 'lastUsedAt'> & {
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
};

const SELECT = `
  select k.id, k.name, k.prefix, k.role, u.email as "createdBy", k.created_at as "createdAt", k.expires_at as "expiresAt",
         case when k.expires_at <= now() then 'expired'
              when k.expires_at <= now() + make_interval(days => ${FIRST_WARNING_DAYS}) then 'expiring'
              else 'active' end as state,
         k.last_used_at as "lastUsedAt"
    from api_keys k join users u on u.uid = k.created_by
   where k.organization_id = $1 and k.revoked_at is null`;

const CURSOR = new IdCursor('api_keys');

@Injectable()
export class ApiKeysQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Keys that are not revoked, oldest first. */
  async listApiKeys(organizationId: string, query: PageQuery): Promise<ApiKeyPage> {
    const after = CURSOR.after(query.cursor);
    const rows = await this.tenants.query<ApiKeyRow>(
      organizationId,
      `${SELECT} and ($2::uuid is null or k.id > $2) order by k.id limit $3`,
      [after, query.limit + 1],
    );
    return CURSOR.toPage(rows.map(toKey), query.limit, (key) => [key.id]);
  }

  async getApiKey(organizationId: string, apiKeyId: string): Promise<ApiKey> {
    const [row] = await this.tenants.query<ApiKeyRow>(organizationId, `${SELECT} and k.id = $2`, [apiKeyId]);
    if (!row) throw notFound('The API key');
    return toKey(row);
  }
}

const toKey = (row: ApiKeyRow): ApiKey => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});
