import { samePlatform } from '../connectors/registry.js';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Actor } from '../access/index.js';
import { Alerts } from '../alerts/index.js';
import { AppHistory, AuditService } from '../audit/index.js';
import type { App } from '../generated/prisma/client.js';
import { DeleterService } from '../organizations/index.js';
import { Database } from '../core/database/database.js';
import { LOGGER } from '../core/observability/logger.js';
import { notFound } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { AppCredentials } from './credentials/app-credentials.js';
import { Connectors } from '../catalog/index.js';

const PROVIDER_TIMEOUT_MS = 30_000;

/** Ends an app's access at the provider and here. */
@Injectable()
export class DisconnectApp implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly credentials: AppCredentials,
    private readonly connectors: Connectors,
    private readonly audit: AuditService,
    private readonly history: AppHistory,
    private readonly deleters: DeleterService,
    private readonly alerts: Alerts,
  ) {}

  onModuleInit(): void {
    this.deleters.beforePurge((organizationId) => this.revokeAll(organizationId));
  }

  /** Revokes and erases one app after the other: only the last of several apps that share a grant revokes it. */
  private async revokeAll(organizationId: string): Promise<void> {
    const tenant = this.tenants.of(organizationId);
    for (const app of await tenant.app.findMany({ where: { credentials: { not: null } } })) {
      await this.revokeAtProvider(app);
      await tenant.app.update({ where: { id: app.id }, data: { credentials: null, state: 'disabled', nextProbeAt: null } });
    }
  }

  /** Resources that use the app are kept and resume after a reconnect. */
  async disconnect(actor: Actor, appId: string): Promise<void> {
    const { organizationId } = actor;
    const tenant = this.tenants.of(organizationId);
    const app = await tenant.app.findFirst({ where: { id: appId, deletedAt: null } });
    if (!app) throw notFound('The app');
    if (app.state === 'revoked' || !app.credentials) return;
    await this.revokeAtProvider(app);
    const failure = {
      class: 'auth',
      code: 'app.disconnected',
      message: `${app.displayName} was disconnected.`,
      action: app.authMode === 'oauth2' ? `Reconnect with ${this.connectors.nameOf(app.provider)}` : 'Update the credentials',
      providerRequestId: null,
    };
    const now = new Date();
    await this.tenants.write(organizationId, async (transaction, query) => {
      await transaction.app.update({
        where: { id: appId },
        data: {
          state: 'revoked',
          credentials: null,
          failure,
          needsReauthSince: app.needsReauthSince ?? now,
          accessExpiresAt: null,
          signInAgainAt: null,
          nextProbeAt: null,
          version: { increment: 1 },
        },
      });
      await transaction.appShareLink.updateMany({ where: { appId, usedAt: null, revokedAt: null }, data: { revokedAt: now } });
      // A user ended the sign-in on purpose. Connections that still use the app get alerts of their own.
      await this.alerts.close(query, appId);
      await this.history.record({ organizationId, appId, event: 'disconnected', actor: actor.email }, transaction);
      const target = { type: 'app', id: appId, name: app.displayName };
      await this.audit.record(actor, { action: 'app.disconnected', target }, query);
    });
  }

  /** Revokes the access at the provider, if it can be reached. */
  async revokeAtProvider(app: App): Promise<void> {
    if (!app.credentials || app.authMode !== 'oauth2' || app.state === 'needs_reauth' || app.state === 'revoked') return;
    if (await this.isSharedGrant(app)) return;
    try {
      const token = await this.credentials.decryptTokens(app);
      await this.connectors.getOauth(app.provider).revoke(token, AbortSignal.timeout(PROVIDER_TIMEOUT_MS));
    } catch (error) {
      this.logger.warn({ err: error, appId: app.id }, 'could not revoke the access at the provider');
    }
  }

  /** A platform revokes all grants of a user to this product, independent of app and organization. */
  private async isSharedGrant({ id, provider, externalUserId }: App): Promise<boolean> {
    if (externalUserId === null) return false;
    const where = { id: { not: id }, provider: { in: samePlatform(provider) }, externalUserId, deletedAt: null };
    const shared = await this.database.prisma.app.findFirst({
      where: { ...where, state: { in: ['connected', 'expiring'] } },
      select: { id: true },
    });
    return shared !== null;
  }
}
