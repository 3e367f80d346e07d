import type { Actor } from '../../access/index.js';
import type { AuditService } from '../../audit/index.js';
import type { TenantWork } from '../../core/database/tenant-database.js';

// SQL: removes a value from arrays.

interface ChangedRule extends Record<string, unknown> {
  id: string;
  memberIds: string[];
  isDeleted: boolean;
  hasRecipients: boolean;
}

/**
 * Removes a user who is no longer a member from the rules for mail, so that a return does not resume the mails. A rule that has no
 * other recipient is deleted permanently. Deleted rules are changed too, because they can be restored.
 */
export async function removeRecipient(
  { transaction, query }: TenantWork,
  audit: AuditService,
  actor: Actor,
  userId: string,
): Promise<void> {
  const changed = await query<ChangedRule>(
    `update notification_rules set member_ids = array_remove(member_ids, $2), version = version + 1, updated_at = now()
      where organization_id = $1 and $2 = any(member_ids)
      returning id, member_ids as "memberIds", deleted_at is not null as "isDeleted", cardinality(roles) + cardinality(member_ids) > 0 as "hasRecipients"`,
    [userId],
  );
  for (const { id, memberIds, isDeleted, hasRecipients } of changed.toSorted((left, right) => (left.id < right.id ? -1 : 1))) {
    const target = { type: 'notification_rule', id };
    if (hasRecipients) {
      if (!isDeleted) await audit.record(actor, { action: 'notification_rule.updated', target, after: { memberIds } }, query);
      continue;
    }
    await transaction.notificationRule.delete({ where: { id }, select: { id: true } });
    if (!isDeleted) await audit.record(actor, { action: 'notification_rule.deleted', target }, query);
  }
}
