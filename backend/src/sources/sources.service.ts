import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AnalyticsService, whatHappened } from '../analytics/index.js';
import { AuthorizedApps } from '../apps/index.js';
import { Connectors } from '../catalog/index.js';
import { AuditService } from '../audit/index.js';
import type { AdAccount, Source, Stream } from '../connectors/kit/contract.js';
import { DeleterService } from '../organizations/index.js';
import type { App, Prisma } from '../generated/prisma/client.js';
import { newId } from '../core/database/identifiers.js';
import { notFound, Problem, versionConflict } from '../core/http/problem.js';
import { queryWithin, TenantDatabase } from '../core/database/tenant-database.js';
import { offeredStreams } from '../connectors/kit/source-selection.js';
import { parseSourceSettings, withDefaults } from './source-settings.js';
import type { CreateSourceBody, SourceEntry, UpdateSourceBody } from './sources.dto.js';
import { SourcesQueries } from './sources.queries.js';

/** A source with its connector, ready to be read. */
export interface OpenSource {
  connector: Source;
  /** Display name of the platform for messages: `Google Ads`. */
  providerName: string;
  appId: string;
  accounts: AdAccount[];
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
    private readonly deleters: DeleterService,
    private readonly analytics: AnalyticsService,
  ) {}

  onModuleInit(): void {
    this.deleters.register('source', { permission: 'sources.write', delete: (actor, id) => this.delete(actor, id) });
  }

  async create(actor: Actor, body: CreateSourceBody): Promise<string> {
    const { organizationId } = actor;
    const app = await this.assertAccounts(organizationId, body.appId, body.accountIds);
    const connector = this.connectors.getSource(app.provider);
    const settings = parseSourceSettings(connector, withDefaults(connector, body.settings ?? {}, app.sourceDefaults));
    const source = await this.tenants.of(organizationId).$transaction(async (transaction) => {
      const event = whatHappened('Source Created', actor, app.provider);
      await this.analytics.raise(queryWithin(transaction, organizationId), event);
      return transaction.source.create({
        data: {
          id: newId(),
          organizationId,
          appId: body.appId,
          name: body.name,
          accountIds: body.accountIds,
          settings: settings as unknown as Prisma.InputJsonObject,
          createdBy: actor.uid,
        },
      });
    });
    await this.audit.record(actor, { action: 'source.created', target: { type: 'source', id: source.id, name: source.name } });
    return source.id;
  }

  async update(actor: Actor, sourceId: string, body: UpdateSourceBody): Promise<void> {
    const source = await this.queries.getSource(actor.organizationId, sourceId);
    if (body.accountIds) await this.assertAccounts(actor.organizationId, source.appId, body.accountIds);
    const connector = this.connectors.getSource(source.provider);
    const settings = body.settings && parseSourceSettings(connector, body.settings);
    if (settings) await this.assertNotMissed(actor.organizationId, source, offeredStreams(connector.streams, settings));
    const { count } = await this.tenants.of(actor.organizationId).source.updateMany({
      where: { id: sourceId, version: body.version, deletedAt: null },
      data: {
        name: body.name,
        accountIds: body.accountIds,
        ...(settings ? { settings: settings as unknown as Prisma.InputJsonObject } : {}),
        version: { increment: 1 },
      },
    });
    if (count === 0) throw versionConflict('source');
    const { name, accountIds } = body;
    const before = {
      name: source.name,
      settings: source.settings,
      accountIds: source.accounts.map((account) => account.externalId),
    };
    const target = { type: 'source', id: sourceId, name: name ?? source.name };
    await this.audit.record(actor, { action: 'source.updated', target, before, after: { name, accountIds, settings } });
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
    const isGone = await this.tenants.of(organizationId).$transaction(async (transaction) => {
      const { count } = await transaction.source.updateMany({
        where: { id: sourceId, deletedAt: null },
        data: { deletedAt: new Date() },
      });
      const query = queryWithin(transaction, organizationId);
      if (count > 0) await this.analytics.raise(query, whatHappened('Source Deleted', actor, provider));
      return count > 0;
    });
    if (!isGone) throw notFound('The source');
    await this.audit.record(actor, { action: 'source.deleted', target: { type: 'source', id: sourceId, name } });
  }

  /** Opens the source for reading: its connector, and its accounts as the provider described them last. */
  async open(organizationId: string, sourceId: string): Promise<OpenSource> {
    const { appId, provider, settings, accounts, earliestAvailable, version } = await this.queries.getSourceToOpen(
      organizationId,
      sourceId,
    );
    const connector = this.access.openSource({ organizationId, id: appId, provider }, settings.options);
    return {
      connector: { ...connector, streams: offeredStreams(connector.streams, settings) },
      providerName: this.connectors.getSource(provider).name,
      appId,
      accounts,
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
    const app = await this.tenants
      .of(organizationId)
      .app.findFirst({ where: { id: appId, deletedAt: null, authMode: { in: ['oauth2', 'push_key'] } } });
    if (!app) throw notFound('The app');
    if (app.state !== 'connected' && app.state !== 'expiring') {
      throw new Problem('app.not_connected', { detail: `${app.displayName} is not connected.`, action: 'Connect the app first' });
    }
    const known = new Set((app.accounts as unknown as AdAccount[]).map((account) => account.externalId));
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
