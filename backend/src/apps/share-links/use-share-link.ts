import { Problem } from '../../core/http/problem.js';
import type { TenantClient } from '../../core/database/tenant-database.js';

interface LinkState {
  expiresAt: Date;
  usedAt: Date | null;
  revokedAt: Date | null;
}

const NEW_LINK = 'Ask for a new link';

/** Null: the link is open. */
function problemOf(link: LinkState): Problem | null {
  if (link.usedAt) return new Problem('share_link.used', { detail: 'This link was already used.', action: NEW_LINK });
  if (link.revokedAt) return new Problem('share_link.taken_back', { detail: 'This link was revoked.', action: NEW_LINK });
  if (link.expiresAt.getTime() > Date.now()) return null;
  return new Problem('share_link.expired', { detail: 'This link is older than 24 hours.', action: NEW_LINK });
}

export function assertLinkOpen(link: LinkState): void {
  const problem = problemOf(link);
  if (problem) throw problem;
}

/**
 * Uses the link in the transaction that stores the sign-in. If the link was revoked, expired or used during the request to the
 * platform, nothing is stored. A failed sign-in does not use the link.
 */
export async function useShareLink(transaction: Pick<TenantClient, 'appShareLink'>, id: string): Promise<void> {
  const { count } = await transaction.appShareLink.updateMany({
    where: { id, usedAt: null, revokedAt: null, expiresAt: { gt: new Date() } },
    data: { usedAt: new Date() },
  });
  if (count > 0) return;
  assertLinkOpen(await transaction.appShareLink.findFirstOrThrow({ where: { id } }));
  throw new Error('a share link is open but could not be used');
}
