import { Inject, Injectable } from '@nestjs/common';
import type { Actor, Identity } from '../access/index.js';
import { createDefaultRules } from '../alerts/index.js';
import { AnalyticsService } from '../analytics/index.js';
import { AuditService } from '../audit/index.js';
import { Database, type SqlQuery } from '../core/database/database.js';
import { ENV, type Env } from '../core/config/env.js';
import { newId } from '../core/database/identifiers.js';
import { notFound, versionConflict } from '../core/http/problem.js';
import { type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';
import { lockPerson } from '../users/index.js';
import { assertOrganizationLimit } from './organization-limit.js';
import { OWN_LOGO_URL, storeLogo } from './logos/logos.service.js';
import type { UpdateOrganizationBody } from './organization-settings.dto.js';
import type { CreateOrganizationBody } from './organizations.dto.js';

// SQL: locks the organization's row, and changes memberships of one person over all organizations.

interface Settings {
  name: string;
  currency: string;
  timeZone: string;
  logo: string | null;
  version: number;
}

@Injectable()
export class OrganizationsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly analytics: AnalyticsService,
    private readonly audit: AuditService,
  ) {}

  /** Creates the organization with the caller as its owner. */
  async create(identity: Identity, body: CreateOrganizationBody): Promise<string> {
    const user = await this.database.prisma.user.findUnique({ where: { uid: identity.uid }, select: { uid: true } });
    if (!user) throw notFound('The user');
    const id = newId();
    await this.tenants.write(
      id,
      async (transaction, query) => {
        await transaction.organization.create({ data: { id, name: body.companyName, createdBy: identity.uid } });
        await storeLogo(transaction, id, { sent: body.company_logo ?? null, current: null });
        const owner = { organizationId: id, userId: identity.uid, role: 'owner', isDefault: body.isDefault ?? false } as const;
        await transaction.member.create({ data: owner });
        await createDefaultRules(transaction, id);
        await this.analytics.identifyMember(query, identity, id);
        await this.analytics.raise(query, {
          name: 'Organization Created',
          userId: identity.uid,
          properties: { company_id: id, user_id: identity.uid },
          onceKey: `organization-created:${id}`,
        });
        const target = { type: 'organization', id, name: body.companyName };
        await this.audit.recordIn(id, { ...identity, role: 'owner' }, { action: 'organization.created', target }, query);
      },
      { checkPerson: (query) => this.preparePerson(query, identity.uid, body.isDefault ?? false) },
    );
    return id;
  }

  /** A person has one default organization: the last one that was created or chosen as such. */
  private async preparePerson(query: SqlQuery, uid: string, isDefault: boolean): Promise<void> {
    await assertOrganizationLimit(uid, this.env.ORGANIZATIONS_PER_PERSON)(query);
    if (isDefault) await clearDefault(query, uid);
  }

  /** The choice of the caller. It replaces the previous one, and changes nothing for other members. */
  async setDefault({ organizationId, uid: userId }: Actor, isDefault: boolean): Promise<void> {
    const checkPerson = async (query: SqlQuery) => {
      if (!isDefault) return;
      await lockPerson(query, 'organizations', userId);
      await clearDefault(query, userId);
    };
    await this.tenants.write(
      organizationId,
      async (transaction) => {
        const { count } = await transaction.member.updateMany({ where: { userId }, data: { isDefault } });
        if (count === 0) throw notFound('The member');
      },
      { checkPerson },
    );
  }

  async update(actor: Actor, { version, logo, ...changes }: UpdateOrganizationBody): Promise<void> {
    const { organizationId } = actor;
    await this.tenants.write(organizationId, async (transaction, query) => {
      const current = await lockOrganization(query);
      if (current.version !== version) throw versionConflict('organization');
      const next = { ...current, ...withoutUndefined(changes) };
      if (logo !== undefined) next.logo = await storeLogo(transaction, organizationId, { sent: logo, current: current.logo });
      const { name, currency, timeZone } = next;
      const data = { name, currency, timeZone, version: { increment: 1 } };
      await transaction.organization.update({ where: { id: organizationId }, data });
      await this.audit.record(
        actor,
        {
          action: 'organization.updated',
          target: { type: 'organization', id: organizationId, name },
          ...changedFields(current, next),
        },
        query,
      );
    });
  }
}

/** The person is locked, so that concurrent choices leave one. */
async function clearDefault(query: SqlQuery, uid: string): Promise<void> {
  // In the order of all transactions that lock members of several organizations.
  await query('select 1 from members where user_id = $1 and is_default order by organization_id for no key update', [uid]);
  await query('update members set is_default = false where user_id = $1 and is_default', [uid]);
}

/** Also locks the members: changes of an organization and its members are serialized. */
async function lockOrganization(query: TenantQuery): Promise<Settings> {
  const [organization] = await query<Settings & { [column: string]: unknown }>(
    `select name, currency, time_zone as "timeZone", ${OWN_LOGO_URL} as logo, version
       from organizations where id = $1 and deleted_at is null for no key update`,
  );
  if (!organization) throw notFound('The organization');
  return organization;
}

/** A missing field is not changed. Null is a value. */
const withoutUndefined = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;

function changedFields(before: Settings, after: Settings): { before: object; after: object } {
  const names = (['name', 'currency', 'timeZone', 'logo'] as const).filter((name) => before[name] !== after[name]);
  const pick = (settings: Settings) => Object.fromEntries(names.map((name) => [name, settings[name]]));
  return { before: pick(before), after: pick(after) };
}
