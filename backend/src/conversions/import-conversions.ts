import type { ProviderName } from '../connectors/kit/contract.js';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { Connectors } from '../catalog/index.js';
import type { ScheduleBody } from '../connections/index.js';
import type { TenantClient, TenantWork } from '../core/database/tenant-database.js';
import { Prisma } from '../generated/prisma/client.js';
import type { ConversionRulesBody } from './conversions.dto.js';
import { READ_AGAIN, startWithin } from './run/conversion-runs.js';
import { canRead, columnsOf, isOtherSource, parseSourceOf, scheduleColumns, toSettings } from './settings/conversion-columns.js';
import type { ConversionSettings } from './settings/open-conversion.js';

type Transaction = Pick<TenantClient, 'conversion'>;

export interface ImportedConversion {
  id: string;
  name: string;
  rules: ConversionRulesBody;
  schedule: ScheduleBody;
  since: string;
}

/** Saves conversions of a configuration file in the transaction of the import. */
@Injectable()
export class ImportConversions {
  constructor(private readonly connectors: Connectors) {}

  /** Throws a problem that names the wrong field. */
  toSettings(providers: { source: ProviderName; target: ProviderName }, rules: ConversionRulesBody): ConversionSettings {
    parseSourceOf(this.connectors, providers.source, rules.source.settings);
    return toSettings(this.connectors.getConversionTarget(providers.target), rules);
  }

  canRead(provider: ProviderName, isDestination: boolean): boolean {
    return canRead(provider, isDestination);
  }

  /** Paused: the same events may already be sent by the installation that exported them. */
  async createWithin(
    transaction: Transaction,
    { organizationId, uid }: Actor,
    target: ProviderName,
    given: ImportedConversion,
  ): Promise<void> {
    const { id, name, rules, schedule, since } = given;
    const settings = toSettings(this.connectors.getConversionTarget(target), rules);
    await transaction.conversion.create({
      data: {
        ...{ id, organizationId, name, createdBy: uid, since: new Date(since) },
        ...{ desired: 'paused', pausedAt: new Date(), pausedBy: uid },
        ...columnsOf(settings, rules),
        ...scheduleColumns(schedule),
      },
    });
  }

  async updateWithin(
    { transaction, query }: TenantWork,
    { organizationId }: Actor,
    target: ProviderName,
    { id, rules, schedule }: ImportedConversion,
  ): Promise<void> {
    const current = await transaction.conversion.findFirstOrThrow({ where: { id } });
    const settings = toSettings(this.connectors.getConversionTarget(target), rules);
    await transaction.conversion.update({
      where: { id },
      data: {
        ...columnsOf(settings, rules),
        ...(isOtherSource(current, settings) ? { cursor: Prisma.DbNull } : {}),
        ...scheduleColumns(schedule),
        ...{ failure: Prisma.DbNull, failures: 0, version: { increment: 1 } },
        ...READ_AGAIN,
      },
    });
    if (current.desired === 'active') await startWithin(query, organizationId, id);
  }
}
