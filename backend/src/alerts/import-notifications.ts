import type { TenantTransaction } from '../core/database/tenant-database.js';
import type { Role } from '../access/index.js';
import type { Prisma } from '../generated/prisma/client.js';
import type { RuleEvent } from './alert-kinds.js';
import { summaryStart } from './summary/summary-start.js';

export async function importRule(
  transaction: TenantTransaction,
  rule: Prisma.NotificationRuleUncheckedCreateInput,
): Promise<void> {
  await transaction.notificationRule.create({ data: rule });
}

export async function updateImportedRule(
  transaction: TenantTransaction,
  id: string,
  columns: { events: RuleEvent[]; includesRecovery: boolean; roles: Role[]; isEnabled: boolean },
): Promise<void> {
  const current = await transaction.notificationRule.findFirstOrThrow({
    where: { id },
    select: { events: true, isEnabled: true },
  });
  const data = { ...columns, ...summaryStart(current, columns), version: { increment: 1 } };
  await transaction.notificationRule.update({ where: { id }, data });
}
