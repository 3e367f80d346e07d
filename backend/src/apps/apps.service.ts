import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AppHistory, AuditService } from '../audit/index.js';
import type { Provider } from '../generated/prisma/client.js';
import { DeleterService } from '../organizations/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { newId } from '../core/database/identifiers.js';
import { notFound, Problem, versionConflict } from '../core/http/problem.js';
import { TenantDatabase, type TenantQuery } from '../core/database/tenant-database.js';
import { accountOf, addCustomParts, assertRoomForCustomApp } from '../custom-apps/index.js';
import type { CreateAppBody, UpdateAppBody } from './apps.dto.js';
import { AppsQueries } from './apps.queries.js';
import { Connectors } from '../catalog/index.js';
import { DisconnectApp } from './disconnect-app.js';
import { Reconnections } from './oauth/reconnections.service.js';

@Injectable()
export class AppsService implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly queries: AppsQueries,
    private readonly disconnectApp: DisconnectApp,
    private readonly history: AppHistory,
    private readonly connectors: Connectors,
    private readonly reconnections: Reconnections,
    private readonly audit: AuditService,
    private readonly deleters: DeleterService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  onModuleInit(): void {
    this.deleters.register('app', { permission: 'apps.write', delete: (actor, id) => this.delete(actor, id) });
  }

  async create(actor: Actor, { provider, displayName }: CreateAppBody): Promise<string> {
    const { organizationId, uid: createdBy } = actor;
    const id = newId();
    const name = displayName ?? this.connectors.getEntry(provider).name;
    const authMode = provider === 'custom' ? 'push_key' : 'oauth2';
    await this.tenants.transaction(organizationId, async (query) => {
      if (provider === 'custom') await assertRoomForCustomApp(query, this.env.CUSTOM_APPS_PER_ORGANIZATION);
      await query(
        `insert into apps (organization_id, id, provider, display_name, auth_mode, created_by, accounts, updated_at)
         values ($1, $2, $3::provider, $4, $5::auth_mode, $6, $7::jsonb, now())`,
        [id, provider, name, authMode, createdBy, JSON.stringify(provider === 'custom' ? [accountOf(id, name)] : [])],
      );
      if (provider === 'custom') await addCustomParts(query, id, actor.email);
      await this.audit.record(actor, { action: 'app.created', target: { type: 'app', id, name } }, query);
    });
    return id;
  }

  async update(actor: Actor, appId: string, body: UpdateAppBody): Promise<void> {
    const { displayName } = await this.queries.getApp(actor.organizationId, appId);
    const { count } = await this.tenants.of(actor.organizationId).app.updateMany({
      where: { id: appId, version: body.version, deletedAt: null },
      data: { displayName: body.displayName, version: { increment: 1 } },
    });
    if (count === 0) throw versionConflict('app');
    const target = { type: 'app', id: appId, name: body.displayName };
    await this.history.record({
      organizationId: actor.organizationId,
      appId,
      event: 'renamed',
      actor: actor.email,
      detail: `From ${displayName} to ${body.displayName}.`,
    });
    await this.audit.record(actor, {
      action: 'app.updated',
      target,
      before: { displayName },
      after: { displayName: body.displayName },
    });
  }

  /** Also revokes the access at the provider, if it can be reached. */
  async delete(actor: Actor, appId: string): Promise<void> {
    const { usedBy, displayName } = await this.queries.getApp(actor.organizationId, appId);
    if (usedBy.sources + usedBy.destinations > 0) {
      throw new Problem('app.in_use', {
        detail: `${displayName} is used by ${usedBy.sources} sources and ${usedBy.destinations} destinations.`,
        action: 'Delete these sources and destinations first',
      });
    }
    const tenant = this.tenants.of(actor.organizationId);
    const conversions = await this.countConversions(actor.organizationId, appId);
    if (conversions > 0) {
      throw new Problem('app.in_use', {
        detail: `${displayName} is used by ${conversions === 1 ? 'a conversion' : `${conversions} conversions`}.`,
        action: 'Delete these conversions first',
      });
    }
    await this.disconnectApp.revokeAtProvider(await tenant.app.findFirstOrThrow({ where: { id: appId } }));
    await tenant.app.update({
      where: { id: appId },
      data: { deletedAt: new Date(), credentials: null, state: 'disabled', nextProbeAt: null },
    });
    await this.audit.record(actor, { action: 'app.deleted', target: { type: 'app', id: appId, name: displayName } });
  }

  private countConversions(organizationId: string, appId: string): Promise<number> {
    return this.tenants
      .of(organizationId)
      .conversion.count({ where: { deletedAt: null, OR: [{ targetAppId: appId }, { sourceAppId: appId }] } });
  }

  /**
   * Deletes the app of a deleted destination if its credentials were entered there and no other resource uses it. The credentials
   * stay encrypted until the purge, because the destination can be restored with them.
   */
  async deleteUnused(actor: Actor, appId: string): Promise<void> {
    const { usedBy, authMode, displayName } = await this.queries.getApp(actor.organizationId, appId);
    if (usedBy.sources + usedBy.destinations > 0 || authMode === 'oauth2') return;
    if ((await this.countConversions(actor.organizationId, appId)) > 0) return;
    await this.tenants.of(actor.organizationId).app.update({ where: { id: appId }, data: { deletedAt: new Date() } });
    await this.audit.record(actor, { action: 'app.deleted', target: { type: 'app', id: appId, name: displayName } });
  }

  /** Restores the app of a restored resource. False: the app was deleted separately, so its credentials are erased. */
  async restoreApp(query: TenantQuery, appId: string): Promise<boolean> {
    const back = await query(
      `update apps set deleted_at = null
        where organization_id = $1 and id = $2 and (deleted_at is null or state <> 'disabled') returning id`,
      [appId],
    );
    return back.length > 0;
  }

  /** Called after entered credentials have passed their check. Resumes the connections that waited for them. */
  async credentialsEntered(
    { organizationId, uid, email }: Actor,
    appId: string,
    { neededReauth }: { neededReauth: boolean },
  ): Promise<void> {
    await this.history.record({ organizationId, appId, event: 'reconnected', actor: email, detail: 'New credentials entered.' });
    if (neededReauth) await this.reconnections.notify(organizationId, appId, uid);
  }

  /** Verifies that the app is of this provider and connected. */
  async assertConnected(organizationId: string, appId: string, provider: Provider): Promise<void> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id: appId, provider, deletedAt: null } });
    if (!app) throw notFound('The app');
    if (app.state === 'connected' || app.state === 'expiring') return;
    throw new Problem('app.not_connected', { detail: `${app.displayName} is not connected.`, action: 'Connect the app first' });
  }
}
