import type { ProviderName } from '../connectors/kit/contract.js';
import { paymentProviders } from '../connectors/registry.js';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { Alerts } from '../alerts/index.js';
import { AppHistory, AuditService } from '../audit/index.js';
import { type App, Prisma } from '../generated/prisma/client.js';
import { DeleterService } from '../organizations/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { toJson } from '../core/database/json-column.js';
import { newId } from '../core/database/identifiers.js';
import { notFound, Problem, versionConflict } from '../core/http/problem.js';
import { TenantDatabase, type TenantQuery, type TenantTransaction } from '../core/database/tenant-database.js';
import { DomainEvents } from '../core/jobs/domain-events.js';
import { accountOf, addCustomParts, assertRoomForCustomApp, PushKeyWatch } from '../custom-apps/index.js';
import type { CreateAppBody, UpdateAppBody } from './apps.dto.js';
import { AppsQueries } from './apps.queries.js';
import { Connectors } from '../catalog/index.js';
import { EnterKey } from './credentials/enter-key.js';
import { DisconnectApp } from './disconnect-app.js';

// SQL: locks the row of an app, which Prisma cannot.

type EnteredCredentials = Pick<
  Prisma.AppUncheckedCreateInput,
  'credentials' | 'credentialTarget' | 'authMode' | 'credentialHint'
>;

@Injectable()
export class AppsService implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly queries: AppsQueries,
    private readonly disconnectApp: DisconnectApp,
    private readonly history: AppHistory,
    private readonly connectors: Connectors,
    private readonly events: DomainEvents,
    private readonly audit: AuditService,
    private readonly deleters: DeleterService,
    private readonly alerts: Alerts,
    private readonly keys: EnterKey,
    private readonly pushKeys: PushKeyWatch,
    @Inject(ENV) private readonly env: Env,
  ) {}

  onModuleInit(): void {
    this.pushKeys.inTransaction(async (transaction, id, state) => {
      await transaction.app.update({ where: { id }, data: { state, version: { increment: 1 } } });
    });
    this.deleters.register('app', { permission: 'apps.write', delete: (actor, id) => this.delete(actor, id) });
  }

  async create(actor: Actor, { provider, displayName, credentials }: CreateAppBody): Promise<string> {
    const { organizationId, uid: createdBy } = actor;
    if (this.connectors.findKeySource(provider))
      return this.keys.create(actor, provider, { displayName, credentials: credentials ?? {} });
    const id = newId();
    const entry = this.connectors.getEntry(provider);
    const name = displayName ?? entry.name;
    const authMode = provider === 'custom' ? 'push_key' : 'oauth2';
    await this.tenants.write(organizationId, async (transaction, query) => {
      if (provider === 'custom') await assertRoomForCustomApp({ transaction, query }, this.env.CUSTOM_APPS_PER_ORGANIZATION);
      const accounts = toJson(provider === 'custom' ? [accountOf(id, name)] : []);
      await transaction.app.create({
        data: { organizationId, id, provider, displayName: name, authMode, createdBy, accounts },
        select: { id: true },
      });
      if (provider === 'custom') await addCustomParts(transaction, actor, id);
      await this.audit.record(actor, { action: 'app.created', target: { type: 'app', id, name } }, query);
    });
    return id;
  }

  async update(actor: Actor, appId: string, body: UpdateAppBody): Promise<void> {
    const { displayName } = await this.queries.getApp(actor.organizationId, appId);
    const { organizationId, email } = actor;
    await this.tenants.write(organizationId, async (transaction, query) => {
      const { count } = await transaction.app.updateMany({
        where: { id: appId, version: body.version, deletedAt: null },
        data: { displayName: body.displayName, version: { increment: 1 } },
      });
      if (count === 0) throw versionConflict('app');
      const detail = `From ${displayName} to ${body.displayName}.`;
      await this.history.record({ organizationId, appId, event: 'renamed', actor: email, detail }, transaction);
      const target = { type: 'app', id: appId, name: body.displayName };
      const values = { before: { displayName }, after: { displayName: body.displayName } };
      await this.audit.record(actor, { action: 'app.updated', target, ...values }, query);
    });
  }

  /**
   * The access is revoked at the provider, if it can be reached, after the app was deleted: this may take long, and no transaction waits
   * for it.
   */
  async delete(actor: Actor, appId: string): Promise<void> {
    const app = await this.tenants.write(actor.organizationId, async (transaction, query) => {
      await lockForDeletion(query, appId);
      const found = await transaction.app.findFirst({ where: { id: appId, deletedAt: null } });
      if (!found) throw notFound('The app');
      await assertUnused(transaction, found);
      await transaction.app.update({
        where: { id: appId },
        data: { deletedAt: new Date(), credentials: null, state: 'disabled', nextProbeAt: null },
      });
      await this.alerts.close(query, appId);
      const target = { type: 'app', id: appId, name: found.displayName };
      await this.audit.record(actor, { action: 'app.deleted', target }, query);
      return found;
    });
    await this.disconnectApp.revokeAtProvider(app);
  }

  /**
   * Deletes the app of a deleted destination, in the same transaction, if its credentials were entered there and no other resource
   * uses it. The credentials stay encrypted until the purge, because the destination can be restored with them.
   */
  async deleteUnusedIn(transaction: TenantTransaction, query: TenantQuery, actor: Actor, appId: string): Promise<void> {
    const used = { appId, deletedAt: null };
    const { authMode, displayName } = await transaction.app.findFirstOrThrow({ where: { id: appId } });
    if (authMode === 'oauth2') return;
    await lockForDeletion(query, appId);
    if ((await transaction.source.count({ where: used })) + (await transaction.destination.count({ where: used })) > 0) return;
    if ((await countConversions(transaction, appId)) > 0) return;
    await transaction.app.update({ where: { id: appId }, data: { deletedAt: new Date() } });
    await this.alerts.close(query, appId);
    await this.audit.record(actor, { action: 'app.deleted', target: { type: 'app', id: appId, name: displayName } }, query);
  }

  /** The app of a new destination, with the credentials that were entered there. */
  async createForDestinationIn(transaction: TenantTransaction, app: Prisma.AppUncheckedCreateInput): Promise<void> {
    await transaction.app.create({ data: app });
  }

  /** Restores the app of a restored resource. False: the app was deleted separately, so its credentials are erased. */
  async restoreApp(transaction: TenantTransaction, appId: string): Promise<boolean> {
    const back = await transaction.app.updateMany({
      where: { id: appId, OR: [{ deletedAt: null }, { state: { not: 'disabled' } }] },
      data: { deletedAt: null },
    });
    return back.count > 0;
  }

  /** In the transaction that stores entered credentials. Resumes the connections that waited for them. */
  async credentialsEnteredIn(
    transaction: TenantTransaction,
    query: TenantQuery,
    { organizationId, uid, email }: Actor,
    appId: string,
    { neededReauth, ...entered }: EnteredCredentials & { neededReauth: boolean },
  ): Promise<void> {
    await transaction.app.update({
      where: { id: appId },
      data: {
        ...entered,
        state: 'connected',
        failure: Prisma.DbNull,
        needsReauthSince: null,
        // A run that failed with the old credentials says nothing about the new ones.
        version: { increment: 1 },
      },
    });
    const entry = { organizationId, appId, event: 'reconnected', actor: email, detail: 'New credentials entered.' } as const;
    await this.history.record(entry, transaction);
    if (neededReauth) await this.events.emit(query, 'app.reconnected', { organizationId, appId, actor: uid });
  }

  /** Verifies that the app is of this provider and connected. */
  async assertConnected(organizationId: string, appId: string, provider: ProviderName): Promise<void> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id: appId, provider, deletedAt: null } });
    if (!app) throw notFound('The app');
    if (app.state === 'connected' || app.state === 'expiring') return;
    throw new Problem('app.not_connected', { detail: `${app.displayName} is not connected.`, action: 'Connect the app first' });
  }
}

/** A transaction that uses the app (`assertNotDeletedIn`) ends first, or finds it deleted. */
const lockForDeletion = (query: TenantQuery, appId: string): Promise<unknown> =>
  query('select 1 from apps where organization_id = $1 and id = $2 for update', [appId]);

/** In the transaction that stores a use of the app: it is not deleted before the transaction ends. */
export async function assertNotDeletedIn(query: TenantQuery, appId: string): Promise<void> {
  const found = await query('select 1 from apps where organization_id = $1 and id = $2 and deleted_at is null for key share', [
    appId,
  ]);
  if (found.length === 0) throw notFound('The app');
}

async function assertUnused(transaction: TenantTransaction, app: App): Promise<void> {
  const { id: appId, displayName, provider } = app;
  const used = { appId, deletedAt: null };
  const [sources, destinations] = [
    await transaction.source.count({ where: used }),
    await transaction.destination.count({ where: used }),
  ];
  if (sources + destinations > 0) {
    const isPayment = paymentProviders.all.includes(provider);
    throw new Problem('app.in_use', {
      detail: isPayment
        ? `${displayName} is used by a payment.`
        : `${displayName} is used by ${sources} sources and ${destinations} destinations.`,
      action: isPayment ? 'Delete the payment first' : 'Delete these sources and destinations first',
    });
  }
  const conversions = await countConversions(transaction, appId);
  if (conversions === 0) return;
  throw new Problem('app.in_use', {
    detail: `${displayName} is used by ${conversions === 1 ? 'a conversion' : `${conversions} conversions`}.`,
    action: 'Delete these conversions first',
  });
}

const countConversions = (client: Pick<TenantTransaction, 'conversion'>, appId: string): Promise<number> =>
  client.conversion.count({ where: { deletedAt: null, OR: [{ targetAppId: appId }, { sourceAppId: appId }] } });
