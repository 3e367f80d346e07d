import { Inject, Injectable } from '@nestjs/common';
import { accessSql, type Actor, type Identity, isBilled, permissionsOf, type Role } from '../access/index.js';
import { Database } from '../core/database/database.js';
import { ENV, type Env } from '../core/config/env.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import { logoUrlOf, logoUrlSql } from './logos/logo-url.js';
import { notFound } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { RESTORABLE_DAYS } from '../core/database/restorable.js';
import type { DeletedOrganizationList, Organization } from './organization-settings.dto.js';
import type { OrganizationDataType, OrganizationEntry } from './organizations.dto.js';

// SQL: lists and documents in one statement with counts, the access rule (`accessSql`) and the specified column names.

type DocumentType = 'app' | 'source' | 'destination' | 'connection' | 'conversion' | 'payment';
type ListedType = Exclude<OrganizationDataType, 'organization' | 'subscription'>;

/** Columns of each document type. They are listed explicitly, so that a new secret column is not returned by accident. */
const DOCUMENTS: Record<DocumentType, string> = {
  app: `select id, provider, display_name as name, state, external_user, created_at from apps`,
  source: `select id, app_id, name, account_ids, state, created_at from (
    select * from sources s where not exists (
      select from payments p where p.organization_id = s.organization_id and p.source_id = s.id)) sources`,
  destination: `select id, app_id, name, settings, state, created_at from destinations`,
  conversion: `select id, source_app_id, source_destination_id, target_app_id, name, target_name, schedule, desired, created_at from conversions`,
  connection: `select id, source_id, destination_id, name, streams, schedule, desired, created_at from (select * from connections where payment_id is null) connections`,
  payment: `select id, app_id, name, events, customer_id_type, amount_mode, desired, created_at from payments`,
};

/** The subscription with its access, or null if there never was one. Without billing, every organization counts as subscribed. */
const subscriptionSql = (env: Env): string =>
  isBilled(env)
    ? `(select json_build_object('status', s.status, 'isBilled', true, 'access', ${accessSql(env, 's')})
          from subscriptions s where s.organization_id = o.id and s.status <> 'none')`
    : `json_build_object('status', 'active', 'isBilled', false, 'access', 'open')`;

const LOGO_URL = logoUrlSql('o.id');

interface OrganizationDocument {
  role: Role | null;
  require_second_factor: boolean;
  [name: string]: unknown;
}

const CONNECTIONS_COUNT = `(select count(*)::int from connections c where c.organization_id = o.id and c.payment_id is null and c.deleted_at is null)`;

@Injectable()
export class OrganizationsQueries {
  private readonly subscription: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {
    this.subscription = subscriptionSql(env);
  }

  async listOfUser(uid: string): Promise<OrganizationEntry[]> {
    const { rows } = await this.database.pool.query<OrganizationEntry>(
      `select o.id as "organizationId", o.name as "companyName", ${LOGO_URL} as logo, ${CONNECTIONS_COUNT} as "connectionsCount", m.role
         from members m join organizations o on o.id = m.organization_id
        where m.user_id = $1 and o.deleted_at is null
        order by m.is_default desc, lower(o.name), o.id limit ${LIST_LIMITS.organizations}`,
      [uid],
    );
    return rows;
  }

  /** For platform staff: all organizations that are not deleted, their own first. */
  async listAll(uid: string): Promise<OrganizationEntry[]> {
    const { rows } = await this.database.pool.query<OrganizationEntry>(
      `select o.id as "organizationId", o.name as "companyName", ${LOGO_URL} as logo, ${CONNECTIONS_COUNT} as "connectionsCount", m.role
         from organizations o left join members m on m.organization_id = o.id and m.user_id = $1
        where o.deleted_at is null
        order by m.is_default desc nulls last, lower(o.name), o.id limit ${LIST_LIMITS.allOrganizations}`,
      [uid],
    );
    return rows;
  }

  async getOrganization({ organizationId, uid, role, isVisit, apiKey }: Actor): Promise<Organization> {
    const row = await this.tenants.of(organizationId).organization.findFirst({
      where: { deletedAt: null },
      select: {
        ...{ id: true, name: true, currency: true, timeZone: true, createdAt: true, version: true, requireSecondFactor: true },
        logo: { select: { id: true } },
        members: { where: { userId: uid }, select: { isDefault: true } },
        _count: { select: { connections: { where: { paymentId: null, deletedAt: null } } } },
      },
    });
    if (!row) throw notFound('The organization');
    const { logo, members, _count, createdAt, ...rest } = row;
    const permissions = permissionsOf(role, isVisit, apiKey !== null);
    return {
      ...rest,
      logo: logoUrlOf(logo),
      connectionsCount: _count.connections,
      createdAt: createdAt.toISOString(),
      isDefault: members.some(({ isDefault }) => isDefault),
      ...{ role, permissions, isVisit },
    };
  }

  /** Deleted organizations that the user owns and can restore. */
  async listDeleted(identity: Identity): Promise<DeletedOrganizationList> {
    const { rows } = await this.database.pool.query<{ id: string; name: string; logo: string | null; at: Date; until: Date }>(
      `select o.id, o.name, ${LOGO_URL} as logo, o.deleted_at as at, o.deleted_at + make_interval(days => $2) as until
         from organizations o join members m on m.organization_id = o.id and m.user_id = $1 and m.role = 'owner'
        where o.deleted_at > now() - make_interval(days => $2)
        order by o.deleted_at desc, o.id limit ${LIST_LIMITS.deletedOrganizations}`,
      [identity.uid, RESTORABLE_DAYS],
    );
    const items = rows.map(({ at, until, ...row }) => ({
      ...row,
      deletedAt: at.toISOString(),
      purgeAt: until.toISOString(),
    }));
    return { items };
  }

  /** The organization with the field names of the specified endpoint, and the user's role; null when it does not exist. */
  async findOrganizationDocument(uid: string, organizationId: string): Promise<OrganizationDocument | null> {
    const rows = await this.tenants.query<OrganizationDocument>(
      organizationId,
      `select o.id as organization_id, o.name as company_name, ${LOGO_URL} as company_logo,
              ${CONNECTIONS_COUNT} as connections_count, m.role, ${this.subscription} as subscription,
              o.require_second_factor
         from organizations o left join members m on m.organization_id = o.id and m.user_id = $2
        where o.id = $1 and o.deleted_at is null`,
      [uid],
    );
    return rows[0] ?? null;
  }

  async listDocuments(organizationId: string, type: ListedType, key?: string): Promise<object[]> {
    return this.tenants.query(
      organizationId,
      `${DOCUMENTS[type]} where organization_id = $1 and deleted_at is null and ($2::uuid is null or id = $2) order by id limit 1000`,
      [key ?? null],
    );
  }
}
