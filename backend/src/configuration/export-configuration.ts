import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { ConfigurationFile, FORMAT, FORMAT_VERSION } from './file/configuration-file.dto.js';
import { CursorsQueries } from './file/cursors.queries.js';
import { ReadConfiguration, type Snapshot } from './file/read-configuration.js';

/** Written into each file, for the person who imports it. */
const NOT_INCLUDED = [
  'Credentials, keys, passwords and signing secrets',
  'Slack webhooks, whose address is a secret, and their rules',
  'Members, invitations and API keys, and members of notification rules',
  'Loaded rows, runs, backfills and events',
  'Cursors of Mixpanel destinations, of custom apps and of payments',
];

/** Writes the configuration of an organization as a file. */
@Injectable()
export class ExportConfiguration {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly configuration: ReadConfiguration,
    private readonly cursors: CursorsQueries,
    private readonly audit: AuditService,
  ) {}

  async export(actor: Actor): Promise<ConfigurationFile> {
    const { organizationId } = actor;
    const snapshot = await this.configuration.read(this.tenants.of(organizationId));
    const cursors = await this.cursors.list(
      organizationId,
      snapshot.connections.map(({ id }) => id),
    );
    const target = { type: 'organization', id: organizationId };
    await this.audit.record(actor, { action: 'configuration.exported', target, after: { ...sizesOf(snapshot) } });
    return {
      ...{ format: FORMAT, version: FORMAT_VERSION, notIncluded: NOT_INCLUDED },
      ...{ apps: entries(snapshot.apps), sources: entries(snapshot.sources), destinations: entries(snapshot.destinations) },
      connections: snapshot.connections.map(({ id, entry }) => ({
        ...entry,
        ...(cursors.has(id) && { cursors: cursors.get(id) }),
      })),
      ...{ conversions: entries(snapshot.conversions), payments: entries(snapshot.payments) },
      ...{ webhooks: entries(snapshot.webhooks), notificationRules: entries(snapshot.rules) },
    } as ConfigurationFile;
  }
}

const entries = <Entry>(items: { entry: Entry }[]): Entry[] => items.map(({ entry }) => entry);

const sizesOf = (snapshot: Snapshot): Record<string, number> =>
  Object.fromEntries(Object.entries(snapshot).map(([kind, items]: [string, unknown[]]) => [kind, items.length]));
