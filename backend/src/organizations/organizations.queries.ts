import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database.js';
import { TenantDoor } from '../platform/tenant.js';
import type { Organization, OrganizationDataType, OrganizationEntry } from './organizations.dto.js';

/** What each type shows; columns are named one by one, so that a secret added later is not shown by accident. */
const DOCUMENTS: Record<Exclude<OrganizationDataType, 'organization'>, string> = {
  app: `select id, provider, display_name as name, state, external_user, created_at from apps`,
  source: `select id, app_id, name, account_ids, state, created_at from sources`,
  destination: `select id, app_id, name, settings, state, created_at from destinations`,
  connection: `select id, source_id, destination_id, name, streams, schedule, desired, created_at from connections`,
};

const CONNECTIONS_COUNT = `(select count(*)::int from connections c where c.organization_id = o.id and c.deleted_at is null)`;

@Injectable()
export class OrganizationsQueries {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDoor,
  ) {}

  async listOfUser(uid: string): Promise<OrganizationEntry[]> {
    const { rows } = await this.database.pool.query<OrganizationEntry>(
      `select o.id as "organizationId", o.name as "companyName", o.logo, ${CONNECTIONS_COUNT} as "connectionsCount"
         from members m join organizations o on o.id = m.organization_id
        where m.user_id = $1 and o.deleted_at is null
        order by m.is_default desc, lower(o.name), o.id`,
      [uid],
    );
    return rows;
  }

  async getOrganization(uid: string, organizationId: string): Promise<Organization> {
    const rows = await this.tenants.query<Organization & { createdAt: Date }>(
      organizationId,
      `select o.id, o.name, o.logo, m.role, ${CONNECTIONS_COUNT} as "connectionsCount", o.currency,
              o.time_zone as "timeZone", o.created_at as "createdAt", o.version
         from members m join organizations o on o.id = m.organization_id
        where m.organization_id = $1 and m.user_id = $2 and o.deleted_at is null`,
      [uid],
    );
    const row = rows[0];
    if (!row) throw new Error('the guard let a stranger pass');
    return { ...row, createdAt: row.createdAt.toISOString() };
  }

  /** The organization as the documented call names its fields; null for strangers, as if there were none. */
  async findOrganizationDocument(uid: string, organizationId: string): Promise<object | null> {
    const rows = await this.tenants.query(
      organizationId,
      `select o.id as organization_id, o.name as company_name, o.logo as company_logo,
              ${CONNECTIONS_COUNT} as connections_count, m.role,
              json_build_object('status', 'active', 'isBilled', false) as subscription
         from members m join organizations o on o.id = m.organization_id
        where m.organization_id = $1 and m.user_id = $2 and o.deleted_at is null`,
      [uid],
    );
    return rows[0] ?? null;
  }

  async listDocuments(
    organizationId: string,
    type: Exclude<OrganizationDataType, 'organization'>,
    key?: string,
  ): Promise<object[]> {
    return this.tenants.query(
      organizationId,
      `${DOCUMENTS[type]} where organization_id = $1 and deleted_at is null and ($2::uuid is null or id = $2) order by id limit 1000`,
      [key ?? null],
    );
  }
}
