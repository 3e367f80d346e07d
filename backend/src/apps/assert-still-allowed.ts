import type { Actor } from '../access/access.decorator.js';
import { isAllowed, lockOwnRole, roleTooLow } from '../access/access.service.js';
import type { TenantQuery } from '../platform/tenant.js';

/** A sign-in at a platform takes a while: nothing is connected for a member who lost the right to do so meanwhile. */
export async function assertStillAllowed(query: TenantQuery, actor: Actor): Promise<void> {
  const role = await lockOwnRole(query, actor);
  if (!isAllowed(role, 'apps.write')) throw roleTooLow(role, 'apps.write');
}
