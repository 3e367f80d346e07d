import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AnalyticsService, whatHappened } from '../analytics/index.js';
import { accountsColumn, assertNotDeletedIn, AuthorizedApps, RestoreAppUser } from '../apps/index.js';
import { Connectors } from '../catalog/index.js';
import { AuditService } from '../audit/index.js';
import type { SourceSettings } from '../connectors/kit/connector.js';
import type { AdAccount, ProviderName, Source, Stream } from '../connectors/kit/contract.js';
import { DeleterService } from '../organizations/index.js';
import type { App, Prisma } from '../generated/prisma/client.js';
import { newId } from '../core/database/identifiers.js';
import { DomainEvents } from '../core/jobs/domain-events.js';
import { notFound, Problem, versionConflict } from '../core/http/problem.js';
import { type TenantClient, TenantDatabase, type TenantQuery, type TenantWork } from '../core/database/tenant-database.js';
import { offeredStreams } from '../connectors/kit/source-selection.js';
import { PAYMENT_PROVIDER } from '../connectors/catalog.js';
import { paymentProviders, sourceProviders } from '../connectors/registry.js';
import { parseSourceSettings, withDefaults } from './source-settings.js';
import type { CreateSourceBody, SourceEntry, UpdateSourceBody } from './sources.dto.js';
import { SourcesQueries } from './sources.queries.js';
import { toJson } from '../core/database/json-column.js';

/** A source with its connector, ready to be read. */
export interface OpenSource {
  connector: Source;
  provider: ProviderName;
  /** Display name of the platform for messages: `Google Ads`. */
  providerName: string;
  appId: string;
  accounts: AdAccount[];
  /** Saves an account that a run found besides these. It is read from the next run on. */
  addAccount(account: AdAccount): Promise<void>;
  /** Set by the user; null uses the platform's own windows. */
  lookbackDays: number | null;
  /** First day the platform still has data for; null if unlimited. */
  earliestAvailable: string | null;
  /** Incremented by each change of the source. */
  version: number;
}

@Injectable()
export class SourcesService implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly queries: SourcesQueries,
    private readonly access: AuthorizedApps,
    private readonly connectors: Connectors,
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
    private readonly deleters: DeleterService,
    private readonly analytics: AnalyticsService,
    private readonly restoring: RestoreAppUser,
  ) {}

  onModuleInit(): void {
    this.deleters.register('source', { permission: 'sources.write', delete: (actor, id) => this.delete(actor, id) });
  }

  async create(actor: Actor, body: CreateSourceBody): Promise<string> {
    const { organizationId } = actor;
    const app = await this.assertAccounts(organizationId, body.appId, body.accountIds);
    const connector = this.connectors.getSource(app.provider);
    const settings = parseSourceSettings(connector, withDefaults(connector, body.settings ?? {}, app.sourceDefaults));
    const id = newId();
    await this.tenants.write(organizationId, async (transaction, query) => {
      await assertNotDeletedIn(query, body.appId);
      await this.analytics.raise(query, whatHappened('Source Created', actor, app.provider));
      await transaction.source.create({
        data: {
          id,
          organizationId,
          appId: body.appId,
          name: body.name,
          accountIds: body.accountIds,
          settings: toJson(settings),
          createdBy: actor.uid,
        },
      });
      const target = { type: 'source', id, name: body.name };
      await this.audit.record(actor, { action: 'source.created', target }, query);
    });
    return id;
  }

  /** The source of a payment, in the caller's transaction. It is shown and changed as a part of the payment only. */
  async saveOfPayment(
    transaction: Pick<TenantClient, 'source'>,
    source: { id: string; organizationId: string; appId: string; name: string; createdBy: string },
    accountIds: string[],
    options: SourceSettings,
  ): Promise<void> {
    const { id, organizationId, appId, name, createdBy } = source;
    const settings = toJson(parseSourceSettings(this.connectors.getPaymentSource(PAYMENT_PROVIDER), { options }));
    const { count } = await transaction.source.updateMany({
      where: { id },
      data: { name, accountIds, settings, deletedAt: null, version: { increment: 1 } },
    });
    if (count > 0) return;
    await transaction.source.create({ data: { id, organizationId, appId, name, accountIds, settings, createdBy } });
  }

  /** Adds accounts to the source of a payment. False: it has all of them. */
  async addAccountsOfPayment(transaction: Pick<TenantClient, 'source'>, id: string, accountIds: string[]): Promise<boolean> {
    const source = await transaction.source.findFirst({ where: { id, deletedAt: null }, select: { accountIds: true } });
    const added = source ? accountIds.filter((accountId) => !source.accountIds.includes(accountId)) : [];
    if (!source || added.length === 0) return false;
    const data = { accountIds: [...source.accountIds, ...added], version: { increment: 1 } };
    await transaction.source.updateMany({ where: { id }, data });
    return true;
  }

  async deleteOfPayment(transaction: Pick<TenantClient, 'source'>, sourceId: string): Promise<void> {
    await transaction.source.updateMany({ where: { id: sourceId }, data: { deletedAt: new Date() } });
  }

  async restoreOfPayment(transaction: Pick<TenantClient, 'source'>, sourceId: string): Promise<void> {
    await transaction.source.updateMany({ where: { id: sourceId }, data: { deletedAt: null } });
  }

  async update(actor: Actor, sourceId: string, body: UpdateSourceBody): Promise<void> {
    const source = await this.queries.getSource(actor.organizationId, sourceId);
    if (body.accountIds) await this.assertAccounts(actor.organizationId, source.appId, body.accountIds);
    const connector = this.connectors.getSource(source.provider);
    const settings = body.settings && parseSourceSettings(connector, body.settings);
    if (settings) await this.assertNotMissed(actor.organizationId, source, offeredStreams(connector.streams, settings));
    const { name, accountIds } = body;
    const before = {
      name: source.name,
      settings: source.settings,
      accountIds: source.accounts.map((account) => account.externalId),
    };
    const target = { type: 'source', id: sourceId, name: name ?? source.name };
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      const { count } = await transaction.source.updateMany({
        where: { id: sourceId, version: body.version, deletedAt: null },
        data: {
          name,
          accountIds,
          ...(settings ? { settings: toJson(settings) } : {}),
          version: { increment: 1 },
        },
      });
      if (count === 0) throw versionConflict('source');
      const after = { name, accountIds, settings };
      await this.audit.record(actor, { action: 'source.updated', target, before, after }, query);
      if (accountIds) await this.accountsChangedIn(query, actor, sourceId, before.accountIds, accountIds);
    });
  }

  async updateImportedIn(
    { transaction, query }: TenantWork,
    actor: Actor,
    id: string,
    columns: { name: string; accountIds: string[]; settings: Prisma.InputJsonValue },
  ): Promise<void> {
    const before = await transaction.source.findFirstOrThrow({ where: { id }, select: { accountIds: true } });
    await transaction.source.update({ where: { id }, data: { ...columns, version: { increment: 1 } } });
    await this.accountsChangedIn(query, actor, id, before.accountIds, columns.accountIds);
  }

  /** The days of further accounts are loaded at once. */
  private async accountsChangedIn(
    query: TenantQuery,
    { organizationId, uid }: Actor,
    sourceId: string,
    before: string[],
    after: string[],
  ): Promise<void> {
    if (after.every((id) => before.includes(id))) return;
    await this.events.emit(query, 'source.accounts_added', { organizationId, sourceId, actor: uid });
  }

  restore(actor: Actor, sourceId: string): Promise<void> {
    return this.restoring.restore(actor, 'source', sourceId, ({ source }) =>
      source.update({ where: { id: sourceId }, data: { deletedAt: null }, select: { id: true } }),
    );
  }

  async delete(actor: Actor, sourceId: string): Promise<void> {
    const { usedBy, name, provider } = await this.queries.getSource(actor.organizationId, sourceId);
    if (usedBy > 0) {
      throw new Problem('source.in_use', {
        detail: `${name} is used by ${usedBy === 1 ? 'a connection' : `${usedBy} connections`}.`,
        action: 'Delete these connections first',
      });
    }
    const { organizationId } = actor;
    await this.tenants.write(organizationId, async (transaction, query) => {
      const { count } = await transaction.source.updateMany({
        where: { id: sourceId, deletedAt: null },
        data: { deletedAt: new Date() },
      });
      if (count === 0) throw notFound('The source');
      await this.analytics.raise(query, whatHappened('Source Deleted', actor, provider));
      await this.audit.record(actor, { action: 'source.deleted', target: { type: 'source', id: sourceId, name } }, query);
    });
  }

  /** Opens the source for reading: its connector, and its accounts as the provider described them last. */
  async open(organizationId: string, sourceId: string): Promise<OpenSource> {
    const { appId, provider, settings, accounts, earliestAvailable, version } = await this.queries.getSourceToOpen(
      organizationId,
      sourceId,
    );
    const connector = this.access.openSource({ organizationId, id: appId, provider }, settings.options);
    const known = new Set(accounts.map(({ externalId }) => externalId));
    return {
      connector: { ...connector, streams: offeredStreams(connector.streams, settings) },
      provider,
      providerName: this.connectors.getSource(provider).name,
      appId,
      accounts,
      addAccount: async (account) => {
        if (known.has(account.externalId)) return;
        await this.access.addAccount({ organizationId, id: appId }, account);
        known.add(account.externalId);
      },
      lookbackDays: settings.lookbackDays,
      earliestAvailable,
      version,
    };
  }

  /** Without this check a connection would silently continue without the stream. */
  private async assertNotMissed(organizationId: string, { id, name }: SourceEntry, offered: Stream[]): Promise<void> {
    const readers = await this.queries.listReadersBeyond(
      organizationId,
      id,
      offered.map((stream) => stream.name),
    );
    if (readers.length === 0) return;
    const missed = readers.map(({ connection, streams }) => `${connection} (${streams.join(', ')})`);
    throw new Problem('source.streams_in_use', {
      detail: `After this change, ${name} would no longer provide streams that these connections read: ${missed.join('; ')}.`,
      action: 'Remove the streams from these connections first',
    });
  }

  private async assertAccounts(organizationId: string, appId: string, accountIds: string[]): Promise<App> {
    const app = await this.tenants.of(organizationId).app.findFirst({
      where: { id: appId, deletedAt: null, provider: { in: sourceProviders.all, notIn: paymentProviders.all } },
    });
    if (!app) throw notFound('The app');
    if (app.state !== 'connected' && app.state !== 'expiring') {
      throw new Problem('app.not_connected', { detail: `${app.displayName} is not connected.`, action: 'Connect the app first' });
    }
    const known = new Set(accountsColumn.get(app.accounts).map((account) => account.externalId));
    const unknown = accountIds.filter((id) => !known.has(id));
    if (unknown.length > 0) {
      throw new Problem('source.unknown_account', {
        detail: `${app.displayName} has no access to ${unknown.join(', ')}.`,
        action: 'Choose accounts from the list',
      });
    }
    return app;
  }
}
