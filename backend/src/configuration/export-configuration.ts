import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { Problem } from '../core/http/problem.js';
import { ConfigurationFile, FORMAT, FORMAT_VERSION } from './file/configuration-file.dto.js';
import { CursorsQueries } from './file/cursors.queries.js';
import { SizeBudget } from './file/size-budget.js';
import { MOST_ACCOUNTS } from './file/parts.dto.js';
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
    const file = fileOf(snapshot);
    const budget = new SizeBudget(file);
    const connections = snapshot.connections.map(({ id, entry }) => {
      const own = cursors.get(id);
      return own && budget.addCursors(own) ? { ...entry, cursors: own } : entry;
    });
    const target = { type: 'organization', id: organizationId };
    await this.audit.record(actor, { action: 'configuration.exported', target, after: { ...sizesOf(snapshot) } });
    return { ...file, connections };
  }
}

/** Without cursors. */
function fileOf(snapshot: Snapshot): ConfigurationFile {
  const large = snapshot.apps.find(({ entry }) => entry.accounts.length > MOST_ACCOUNTS);
  if (large)
    throw new Problem('configuration.too_large', {
      detail: `The sources of ${large.entry.name} read more than ${MOST_ACCOUNTS.toLocaleString('en')} accounts.`,
      action: 'Delete what is no longer used',
    });
  return {
    ...{ format: FORMAT, version: FORMAT_VERSION, notIncluded: NOT_INCLUDED },
    ...{ apps: entries(snapshot.apps), sources: entries(snapshot.sources), destinations: entries(snapshot.destinations) },
    ...{ connections: entries(snapshot.connections), conversions: entries(snapshot.conversions) },
    ...{ payments: entries(snapshot.payments), webhooks: entries(snapshot.webhooks), notificationRules: entries(snapshot.rules) },
  };
}

const entries = <Entry>(items: { entry: Entry }[]): Entry[] => items.map(({ entry }) => entry);

const sizesOf = ({ stored: _, ...lists }: Snapshot): Record<string, number> =>
  Object.fromEntries(Object.entries(lists).map(([kind, items]: [string, unknown[]]) => [kind, items.length]));
