import type { TenantWork } from '../../core/database/tenant-database.js';
import type { FreshnessEvent } from '../alert-kinds.js';
import type { Message } from '../webhooks/messages.js';
import { listReceivers, storeDeliveries } from '../webhooks/store-deliveries.js';
import { listRulesFor } from './notified-alert.js';

/** Stores the deliveries of an event that is no alert, for the webhooks of its rules, in the transaction of its cause. */
export async function notifyRules(
  work: TenantWork,
  organizationId: string,
  message: Message & { type: FreshnessEvent },
): Promise<void> {
  const rules = await listRulesFor(work.transaction, message.type, false);
  if (rules.length === 0) return;
  const receivers = await listReceivers(
    work.transaction,
    rules.map(({ id }) => id),
  );
  await storeDeliveries(work, organizationId, receivers, message);
}
