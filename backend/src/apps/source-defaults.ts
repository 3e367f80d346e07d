import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { breakdownsOf } from '../connectors/kit/source-selection.js';
import { Problem, versionConflict } from '../core/http/problem.js';
import { toJson } from '../core/database/json-column.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { UpdateSourceDefaultsBody } from './apps.dto.js';
import { AppsQueries } from './apps.queries.js';
import { Connectors } from '../catalog/index.js';

/** Defaults of new sources of an app. Existing sources do not change. */
@Injectable()
export class SourceDefaultsService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly queries: AppsQueries,
    private readonly connectors: Connectors,
    private readonly audit: AuditService,
  ) {}

  async update(actor: Actor, appId: string, { version, ...sourceDefaults }: UpdateSourceDefaultsBody): Promise<void> {
    const { organizationId } = actor;
    const { provider, displayName, sourceDefaults: before } = await this.queries.getApp(organizationId, appId);
    const connector = this.connectors.findSource(provider);
    // A custom app has one stream without levels and breakdowns, and one source.
    if (!connector || provider === 'custom') throw wrong('level', `Sources of ${displayName} have no defaults.`);
    const known = breakdownsOf(connector.streams);
    const unknown = sourceDefaults.breakdowns.find((name) => !known.includes(name));
    if (unknown !== undefined) throw wrong('breakdowns', `${connector.name} has no breakdown ${unknown}`);
    await this.tenants.write(organizationId, async (transaction, query) => {
      const { count } = await transaction.app.updateMany({
        where: { id: appId, version, deletedAt: null },
        data: { sourceDefaults: toJson(sourceDefaults), version: { increment: 1 } },
      });
      if (count === 0) throw versionConflict('app');
      const target = { type: 'app', id: appId, name: displayName };
      const change = { before: { sourceDefaults: before }, after: { sourceDefaults } };
      await this.audit.record(actor, { action: 'app.defaults_changed', target, ...change }, query);
    });
  }
}

const wrong = (field: string, message: string): Problem =>
  new Problem('request.invalid', { detail: message, errors: [{ field, message }] });
