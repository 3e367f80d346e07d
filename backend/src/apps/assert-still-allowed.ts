import { isAllowed, lockOwnRole, roleTooLow } from '../access/access.service.js';
import { Problem } from '../platform/problem.js';
import type { TenantQuery } from '../platform/tenant.js';
import type { Applicant } from './applicant.js';

/** A sign-in at a platform takes a while: nothing is connected for a person who lost access meanwhile, or by a link that was revoked. */
export async function assertStillAllowed(query: TenantQuery, { actor, shareLinkId }: Applicant): Promise<void> {
  if (actor) {
    const role = await lockOwnRole(query, actor);
    if (!isAllowed(role, 'apps.write')) throw roleTooLow(role, 'apps.write');
    return;
  }
  const open = await query(
    'select 1 from app_share_links where organization_id = $1 and id = $2::uuid and revoked_at is null for share',
    [shareLinkId],
  );
  if (open.length > 0) return;
  throw new Problem('share_link.taken_back', { detail: 'This link was taken back.', action: 'Ask for a new link' });
}
