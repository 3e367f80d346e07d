import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Actor } from '../access/access.decorator.js';
import { AuditService } from '../audit/audit.service.js';
import { ReconnectNeeded } from '../connectors/kit/errors.js';
import { type App, Prisma, type Provider } from '../generated/prisma/client.js';
import { DeleterService } from '../organizations/deleter.service.js';
import { asProblem } from '../platform/failures.js';
import { newId } from '../platform/identifiers.js';
import { LOGGER } from '../platform/logger.js';
import { notFound, Problem } from '../platform/problem.js';
import { TenantDoor } from '../platform/tenant.js';
import { AppAccess } from './app-access.service.js';
import type { CreateAppBody, UpdateAppBody } from './apps.dto.js';
import { AppsQueries } from './apps.queries.js';
import { Connectors } from './connectors.service.js';
import { isSource } from './oauth-landing.js';

const PROVIDER_TIMEOUT_MS = 30_000;

@Injectable()
export class AppsService implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tenants: TenantDoor,
    private readonly queries: AppsQueries,
    private readonly access: AppAccess,
    private readonly connectors: Connectors,
    private readonly audit: AuditService,
    private readonly deleters: DeleterService,
  ) {}

  onModuleInit(): void {
    this.deleters.register('app', { permission: 'apps.write', delete: (actor, id) => this.delete(actor, id) });
  }

  async create(actor: Actor, body: CreateAppBody): Promise<string> {
    const { organizationId } = actor;
    const app = await this.tenants.of(organizationId).app.create({
      data: {
        id: newId(),
        organizationId,
        provider: body.provider,
        displayName: body.displayName ?? this.connectors.getEntry(body.provider).name,
        authMode: 'oauth2',
        createdBy: actor.uid,
      },
    });
    await this.audit.record(actor, { action: 'app.created', target: { type: 'app', id: app.id, name: app.displayName } });
    return app.id;
  }

  async update(actor: Actor, appId: string, body: UpdateAppBody): Promise<void> {
    const { displayName } = await this.queries.getApp(actor.organizationId, appId);
    const { count } = await this.tenants.of(actor.organizationId).app.updateMany({
      where: { id: appId, version: body.version, deletedAt: null },
      data: { displayName: body.displayName, version: { increment: 1 } },
    });
    if (count === 0)
      throw new Problem('conflict.version', { detail: 'Somebody changed this app meanwhile.', action: 'Reload and try again' });
    const target = { type: 'app', id: appId, name: body.displayName };
    await this.audit.record(actor, {
      action: 'app.updated',
      target,
      before: { displayName },
      after: { displayName: body.displayName },
    });
  }

  /** Disconnects: the access is withdrawn at the provider too, as far as it can be reached. */
  async delete(actor: Actor, appId: string): Promise<void> {
    const { usedBy, displayName } = await this.queries.getApp(actor.organizationId, appId);
    if (usedBy.sources + usedBy.destinations > 0) {
      throw new Problem('app.in_use', {
        detail: `${displayName} feeds ${usedBy.sources} sources and ${usedBy.destinations} destinations.`,
        action: 'Delete those first',
      });
    }
    await this.revoke(actor.organizationId, appId);
    await this.tenants.of(actor.organizationId).app.update({
      where: { id: appId },
      data: { deletedAt: new Date(), credentials: null, state: 'disabled' },
    });
    await this.audit.record(actor, { action: 'app.deleted', target: { type: 'app', id: appId, name: displayName } });
  }

  /** Of a destination that has gone: its credentials go with it, unless something else writes with them. */
  async deleteUnused(actor: Actor, appId: string): Promise<void> {
    const { usedBy, authMode } = await this.queries.getApp(actor.organizationId, appId);
    if (usedBy.sources + usedBy.destinations === 0 && authMode !== 'oauth2') await this.delete(actor, appId);
  }

  /** That the app is one of this provider, and alive. */
  async assertConnected(organizationId: string, appId: string, provider: Provider): Promise<void> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id: appId, provider, deletedAt: null } });
    if (!app) throw notFound('The app');
    if (app.state === 'connected' || app.state === 'expiring') return;
    throw new Problem('app.not_connected', { detail: `${app.displayName} is not connected.`, action: 'Connect the app first' });
  }

  /** Asks the provider whether the app still works, and what it reaches. */
  async probe(organizationId: string, appId: string): Promise<void> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id: appId, deletedAt: null } });
    if (!app) throw notFound('The app');
    if (app.authMode !== 'oauth2') return;
    try {
      await this.ask(app);
      await this.tenants
        .of(organizationId)
        .app.update({ where: { id: appId }, data: { failure: Prisma.DbNull, lastProbeAt: new Date() } });
    } catch (error) {
      if (!(error instanceof ReconnectNeeded)) throw asProblem(error);
      // The probe's answer is the app's new state, not an error of the call.
      await this.access.markNeedsReauth(organizationId, appId, error);
    }
  }

  private async ask(app: App): Promise<void> {
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
    await this.access.refresh(app.organizationId, app.id, undefined, signal);
    if (!isSource(app.provider)) return;
    const accounts = await this.access.openSource(app).listAccounts({ signal, onRequest: () => undefined });
    await this.access.saveAccounts(app.organizationId, app.id, accounts);
  }

  private async revoke(organizationId: string, appId: string): Promise<void> {
    const app = await this.tenants.of(organizationId).app.findFirstOrThrow({ where: { id: appId } });
    if (!app.credentials || app.authMode !== 'oauth2' || app.state === 'needs_reauth') return;
    try {
      const token = await this.access.storedToken(app);
      await this.connectors.getOauth(app.provider).revoke(token, AbortSignal.timeout(PROVIDER_TIMEOUT_MS));
    } catch (error) {
      this.logger.warn({ err: error, appId }, 'could not withdraw the access at the provider');
    }
  }
}
