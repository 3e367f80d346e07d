import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isAllowed } from '../../access/index.js';
import { RevokeAccess, type Revoker } from '../../users/index.js';

/** Revokes share links and active sign-ins at platforms of users who may no longer connect apps. */
@Injectable()
export class RevokeLinks implements OnModuleInit {
  constructor(private readonly revokeAccess: RevokeAccess) {}

  onModuleInit(): void {
    this.revokeAccess.register('shareLinks', revokeLinksOf);
  }
}

const revokeLinksOf: Revoker = async (transaction, { organizationId, userId, role }) => {
  if (role !== null && isAllowed(role, 'apps.write')) return [];
  // PostgreSQL evaluates the condition again after a lock wait: a link that is used at the same time is not revoked.
  const now = new Date();
  const links = await transaction.appShareLink.updateManyAndReturn({
    where: { organizationId, createdBy: userId, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
    select: { app: { select: { displayName: true } } },
  });
  const own = { organizationId, userId };
  await transaction.oauthState.updateMany({ where: { ...own, heldGrant: { not: null } }, data: { heldGrant: null } });
  await transaction.oauthState.updateMany({ where: { ...own, usedAt: null }, data: { usedAt: now } });
  return links.map(({ app }) => app.displayName);
};
