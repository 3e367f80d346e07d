import type { TenantTransaction } from '../core/database/tenant-database.js';
import type { Prisma } from '../generated/prisma/client.js';
import { failQueuedDeliveries } from './webhooks/store-deliveries.js';

/** What an import changes of a webhook, in its transaction. */
export async function updateImportedWebhook(
  transaction: TenantTransaction,
  id: string,
  { name, isEnabled }: { name: string; isEnabled: boolean },
): Promise<void> {
  const current = await transaction.webhookEndpoint.findFirst({ where: { id }, select: { isEnabled: true } });
  const disabledReason = isEnabled ? null : 'user';
  const data = { name, isEnabled, disabledReason, failingSince: null, version: { increment: 1 } };
  await transaction.webhookEndpoint.update({ where: { id }, data });
  if (isEnabled !== current?.isEnabled) await failQueuedDeliveries(transaction, id);
}

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
