import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AppHistory, AuditService } from '../../audit/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { newId } from '../../core/database/identifiers.js';
import { notFound } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { NewShareLink } from '../app-use.dto.js';
import { assertStillAllowed } from '../oauth/assert-still-allowed.js';

// SQL: locks the app's row.

const TOKEN_BYTES = 32;
const LIFETIME_MS = 24 * 3_600_000;

export const RECONNECT_PATH = '/reconnect';
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Lets a person without an account reconnect one app, because often another person has the sign-in at the platform. */
@Injectable()
export class ShareApp {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
    private readonly history: AppHistory,
  ) {}

  /** A new link revokes the previous one. */
  async share(actor: Actor, appId: string): Promise<NewShareLink> {
    const { organizationId, uid } = actor;
    const app = await this.tenants
      .of(organizationId)
      .app.findFirst({ where: { id: appId, deletedAt: null, authMode: 'oauth2' } });
    if (!app) throw notFound('The app');
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(Date.now() + LIFETIME_MS);
    await this.tenants.write(organizationId, async (transaction, query) => {
      await assertStillAllowed(query, actor);
      await transaction.$queryRaw`select 1 from apps where organization_id = ${organizationId}::uuid and id = ${appId}::uuid for update`;
      await transaction.appShareLink.updateMany({ where: openLinkOf(appId), data: { revokedAt: new Date() } });
      await transaction.appShareLink.create({
        data: { id: newId(), organizationId, appId, tokenHash: hashOfToken(token), createdBy: uid, expiresAt },
      });
      const target = { type: 'app', id: appId, name: app.displayName };
      await this.audit.record(actor, { action: 'app.shared', target, after: { expiresAt: expiresAt.toISOString() } }, query);
      const detail = 'Reconnect link created, valid for 24 hours.';
      await this.history.record({ organizationId, appId, event: 'shared', actor: actor.email, detail }, transaction);
    });
    return { url: `${this.env.PUBLIC_URL}${RECONNECT_PATH}/${token}`, expiresAt: expiresAt.toISOString() };
  }

  async revoke(actor: Actor, appId: string): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      const app = await transaction.app.findFirst({ where: { id: appId, deletedAt: null } });
      if (!app) throw notFound('The app');
      const { count } = await transaction.appShareLink.updateMany({
        where: openLinkOf(appId),
        data: { revokedAt: new Date() },
      });
      if (count === 0) return;
      const target = { type: 'app', id: appId, name: app.displayName };
      await this.audit.record(actor, { action: 'app.share_taken_back', target }, query);
    });
  }
}

const openLinkOf = (appId: string) => ({ appId, usedAt: null, revokedAt: null });
