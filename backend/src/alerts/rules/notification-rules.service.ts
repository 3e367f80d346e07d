import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { newId } from '../../core/database/identifiers.js';
import { RESTORABLE_DAYS } from '../../core/database/restorable.js';
import { type TenantQuery, type TenantTransaction, TenantDatabase } from '../../core/database/tenant-database.js';
import { notFound, Problem, versionConflict } from '../../core/http/problem.js';
import { FRESHNESS_EVENTS } from '../alert-kinds.js';
import { summaryStart } from '../summary/summary-start.js';
import type { CreateRuleBody, UpdateRuleBody } from './notification-rules.dto.js';
import { undeleteRule } from './rules-of-webhook.js';

// SQL: locks the rule, its webhook and the organization's row.

export const MAX_RULES = 50;

interface Rule extends Record<string, unknown> {
  channel: CreateRuleBody['channel'];
  roles: string[];
  memberIds: string[];
  events: string[];
  isEnabled: boolean;
  version: number;
}

interface RestorableRule extends Record<string, unknown> {
  events: string[];
  isEnabled: boolean;
  deletedAt: Date | null;
}

@Injectable()
export class NotificationRulesService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
  ) {}

  async create(actor: Actor, body: CreateRuleBody): Promise<string> {
    const { channel, events, includesRecovery = true, roles = [], memberIds = [], endpointId = null } = body;
    const { organizationId, uid: createdBy } = actor;
    const id = newId();
    await this.tenants.write(organizationId, async (transaction, query) => {
      assertRecipients(channel, roles, memberIds);
      assertEvents(channel, events);
      await lockMembers(query);
      await assertMembers(transaction, memberIds);
      await assertEndpoint(query, channel, endpointId);
      await assertRoom(transaction);
      await transaction.notificationRule.create({
        data: { organizationId, id, channel, events, includesRecovery, roles, memberIds, endpointId, createdBy },
      });
      await this.record(actor, query, 'created', id, { ...body });
    });
    return id;
  }

  async update(actor: Actor, id: string, { version, ...changes }: UpdateRuleBody): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      if (changes.memberIds) await lockMembers(query);
      const current = await lockRule(query, id);
      if (current.version !== version) throw versionConflict('notification rule');
      const { events, includesRecovery, roles, memberIds, isEnabled } = changes;
      assertRecipients(current.channel, roles ?? current.roles, memberIds ?? current.memberIds);
      assertEvents(current.channel, events ?? []);
      await assertMembers(transaction, memberIds ?? []);
      await transaction.notificationRule.update({
        where: { id },
        data: {
          ...{ events, includesRecovery, roles, memberIds, isEnabled, version: { increment: 1 } },
          ...summaryStart(current, { events: events ?? current.events, isEnabled: isEnabled ?? current.isEnabled }),
        },
        select: { id: true },
      });
      await this.record(actor, query, 'updated', id, changes);
    });
  }

  async delete(actor: Actor, id: string): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      await lockRule(query, id);
      await transaction.notificationRule.update({ where: { id }, data: { deletedAt: new Date() }, select: { id: true } });
      await this.record(actor, query, 'deleted', id);
    });
  }

  /** An equal rule can exist since, as when a rule is created. Does nothing if it is restored already. */
  async restore(actor: Actor, id: string): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      await lockMembers(query);
      const webhook = await lockWebhookOf(query, id);
      const { deletedAt, ...rule } = await lockRestorable(query, id);
      if (!deletedAt) return;
      if (webhook?.isDeleted) throw webhookGone(webhook.name);
      await assertRoom(transaction);
      await undeleteRule(transaction, { id, ...rule });
      await this.record(actor, query, 'restored', id);
    });
  }

  private record(actor: Actor, query: TenantQuery, verb: string, id: string, after?: object): Promise<void> {
    return this.audit.record(
      actor,
      { action: `notification_rule.${verb}`, target: { type: 'notification_rule', id }, after },
      query,
    );
  }
}

/** Members leave with this lock, and are then removed from the rules. Must come before the lock of a rule. */
async function lockMembers(query: TenantQuery): Promise<void> {
  await query('select 1 from organizations where id = $1 for no key update');
}

async function lockRule(query: TenantQuery, id: string): Promise<Rule> {
  const [rule] = await query<Rule>(
    `select channel, roles::text[] as roles, member_ids as "memberIds", events, is_enabled as "isEnabled", version from notification_rules
      where organization_id = $1 and id = $2 and deleted_at is null for no key update`,
    [id],
  );
  if (!rule) throw notFound('The notification rule');
  return rule;
}

async function lockRestorable(query: TenantQuery, id: string): Promise<RestorableRule> {
  const [rule] = await query<RestorableRule>(
    `select events, is_enabled as "isEnabled", deleted_at as "deletedAt" from notification_rules
      where organization_id = $1 and id = $2 and (deleted_at is null or deleted_at > now() - make_interval(days => $3))
        for no key update`,
    [id, RESTORABLE_DAYS],
  );
  if (!rule) throw notFound('The notification rule');
  return rule;
}

/** The webhook of a rule for one. It is locked before its rules everywhere. */
async function lockWebhookOf(query: TenantQuery, ruleId: string): Promise<{ name: string; isDeleted: boolean } | undefined> {
  const [webhook] = await query<{ name: string; isDeleted: boolean }>(
    `select name, deleted_at is not null as "isDeleted" from webhook_endpoints
      where organization_id = $1 and id = (select endpoint_id from notification_rules where organization_id = $1 and id = $2) for share`,
    [ruleId],
  );
  return webhook;
}

function assertRecipients(channel: Rule['channel'], roles: string[], memberIds: string[]): void {
  const hasRecipients = roles.length + memberIds.length > 0;
  if (channel === 'mail' && !hasRecipients) throw invalid('roles', 'A mail needs a role or a member');
  if (channel !== 'mail' && hasRecipients) throw invalid('roles', 'Roles and members are for mail only');
}

export function assertEvents(channel: Rule['channel'], events: readonly string[]): void {
  const isForPrograms = FRESHNESS_EVENTS.some((event) => events.includes(event));
  if (isForPrograms && channel !== 'webhook' && channel !== 'slack')
    throw invalid('events', `Events of freshness are for webhook and slack only. connection.late notifies people`);
}

async function assertMembers(transaction: TenantTransaction, memberIds: string[]): Promise<void> {
  if (memberIds.length === 0) return;
  const found = await transaction.member.count({ where: { userId: { in: memberIds } } });
  if (found < memberIds.length) throw notFound('The member');
}

async function assertEndpoint(query: TenantQuery, channel: Rule['channel'], endpointId: string | null): Promise<void> {
  const kind = channel === 'webhook' ? 'signed' : channel === 'slack' ? 'slack' : null;
  if (kind === null && endpointId === null) return;
  if (kind === null) throw invalid('endpointId', 'endpointId is for the channels webhook and slack only');
  const found = await query(
    // A weaker lock would not wait for a deletion, which leaves no rule.
    `select 1 from webhook_endpoints
      where organization_id = $1 and id = $2::uuid and kind = $3::webhook_kind and deleted_at is null for share`,
    [endpointId, kind],
  );
  if (found.length === 0) throw invalid('endpointId', `endpointId must be a webhook of the kind ${kind}`);
}

async function assertRoom(transaction: TenantTransaction): Promise<void> {
  if ((await transaction.notificationRule.count({ where: { deletedAt: null } })) < MAX_RULES) return;
  throw new Problem('notification_rule.limit_reached', {
    detail: `An organization can have at most ${MAX_RULES} notification rules.`,
    action: 'Delete a rule that is no longer used',
  });
}

const webhookGone = (name: string): Problem =>
  new Problem('notification_rule.webhook_gone', {
    detail: `${name}, the webhook of the rule, was deleted.`,
    action: 'Restore the webhook first',
  });

const invalid = (field: string, message: string): Problem =>
  new Problem('request.invalid', { detail: message, errors: [{ field, message }] });
