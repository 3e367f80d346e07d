import { Injectable } from '@nestjs/common';
import { IdCursor } from '../../core/database/cursor.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { PageQuery } from '../../core/http/page.dto.js';
import { notFound } from '../../core/http/problem.js';
import type { NotificationRuleEntry, NotificationRulePage } from './notification-rules.dto.js';

// SQL: a page of one statement with the webhook of each rule.

type RuleRow = Omit<NotificationRuleEntry, 'createdAt'> & { createdAt: Date };

const SELECT = `
  select r.id, r.channel, r.events, r.includes_recovery as "includesRecovery", r.roles::text[] as roles, r.member_ids as "memberIds",
         r.is_enabled as "isEnabled", r.created_at as "createdAt", r.version,
         case when e.id is not null then json_build_object('id', e.id, 'name', e.name, 'isEnabled', e.is_enabled) end as endpoint
    from notification_rules r
    left join webhook_endpoints e on e.organization_id = r.organization_id and e.id = r.endpoint_id
   where r.organization_id = $1 and r.deleted_at is null`;

const CURSOR = new IdCursor('notification_rules');

@Injectable()
export class NotificationRulesQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Oldest first. */
  async listRules(organizationId: string, { cursor, limit }: PageQuery): Promise<NotificationRulePage> {
    const rows = await this.tenants.query<RuleRow>(
      organizationId,
      `${SELECT} and ($2::uuid is null or r.id > $2) order by r.id limit $3`,
      [CURSOR.after(cursor), limit + 1],
    );
    return CURSOR.toPage(rows.map(toEntry), limit, ({ id }) => [id]);
  }

  async getRule(organizationId: string, ruleId: string): Promise<NotificationRuleEntry> {
    const [row] = await this.tenants.query<RuleRow>(organizationId, `${SELECT} and r.id = $2`, [ruleId]);
    if (!row) throw notFound('The notification rule');
    return toEntry(row);
  }
}

const toEntry = (row: RuleRow): NotificationRuleEntry => ({ ...row, createdAt: row.createdAt.toISOString() });
