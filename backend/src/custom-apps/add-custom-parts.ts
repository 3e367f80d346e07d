import type { Actor } from '../access/index.js';
import { newId } from '../core/database/identifiers.js';
import { Problem } from '../core/http/problem.js';
import type { TenantTransaction, TenantWork } from '../core/database/tenant-database.js';
import { newPushKeyId } from './push-events/push-key.js';
import { saveStep } from './integration-requests/submissions.service.js';

// SQL: locks the organization's row.

/** Creates the empty form and the endpoint without a key that every custom app has. */
export async function addCustomParts(
  transaction: TenantTransaction,
  { organizationId, email }: Pick<Actor, 'organizationId' | 'email'>,
  appId: string,
): Promise<void> {
  const own = { organizationId, appId };
  await transaction.submission.create({ data: { ...own, id: newId() } });
  await saveStep(transaction, own, { state: 'draft', actor: email, note: null });
  await transaction.pushEndpoint.create({ data: { ...own, keyId: newPushKeyId() } });
}

/** Locks the organization's row, so that concurrent calls cannot exceed the limit together. */
export async function assertRoomForCustomApp({ transaction, query }: TenantWork, most: number): Promise<void> {
  await query('select id from organizations where id = $1 for no key update');
  if ((await transaction.app.count({ where: { provider: 'custom', deletedAt: null } })) < most) return;
  throw new Problem('app.custom_limit', {
    detail: `An organization can have at most ${most} custom apps.`,
    action: 'Delete an unused custom app',
  });
}
