import type { TenantTransaction } from '../core/database/tenant-database.js';
import type { Prisma } from '../generated/prisma/client.js';

export async function importRule(
  transaction: TenantTransaction,
  rule: Prisma.NotificationRuleUncheckedCreateInput,
): Promise<void> {
  await transaction.notificationRule.create({ data: rule });
}

export async function updateImportedRule(
  transaction: TenantTransaction,
  id: string,
  columns: Pick<Prisma.NotificationRuleUncheckedUpdateInput, 'events' | 'includesRecovery' | 'roles' | 'isEnabled'>,
): Promise<void> {
  await transaction.notificationRule.update({ where: { id }, data: { ...columns, version: { increment: 1 } } });
}
