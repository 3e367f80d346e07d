import type { TenantTransaction } from '../../core/database/tenant-database.js';
import { summaryStart } from '../summary/summary-start.js';

/** The rules have the time of their webhook, so that it is restored with them, and without those that were deleted before. */
export async function deleteRulesOf({ notificationRule }: TenantTransaction, endpointId: string, deletedAt: Date): Promise<void> {
  await notificationRule.updateMany({ where: { endpointId, deletedAt: null }, data: { deletedAt } });
}

export async function restoreRulesOf(transaction: TenantTransaction, endpointId: string, deletedAt: Date): Promise<void> {
  const where = { endpointId, deletedAt };
  const rules = await transaction.notificationRule.findMany({ where, select: { id: true, events: true, isEnabled: true } });
  for (const rule of rules) await undeleteRule(transaction, rule);
}

export async function undeleteRule(
  { notificationRule }: TenantTransaction,
  { id, ...rule }: { id: string; events: string[]; isEnabled: boolean },
): Promise<void> {
  const data = { deletedAt: null, ...summaryStart({ ...rule, isEnabled: false }, rule) };
  await notificationRule.update({ where: { id }, data, select: { id: true } });
}
