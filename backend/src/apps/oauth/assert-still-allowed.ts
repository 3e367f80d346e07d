import { type Actor, isAllowed, lockOwnRole, roleTooLow } from '../../access/index.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';

/**
 * Checked again in the transaction that stores the result, because the member may have lost the permission since the guard's
 * check.
 */
export async function assertStillAllowed(query: TenantQuery, actor: Actor): Promise<void> {
  const role = await lockOwnRole(query, actor);
  if (!isAllowed(role, 'apps.write')) throw roleTooLow(role, 'apps.write');
}
