import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Connectors } from '../../catalog/index.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { ConversionSourceChoice, ConversionSourceChoices } from './preview.dto.js';
import { conversionSourceProviders, destinationProviders } from '../../connectors/registry.js';

/** Lists what conversions can read from: custom and payment apps, and destinations that can be queried or exported. */
@Injectable()
export class SourceChoices {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
  ) {}

  async listChoices(organizationId: string): Promise<ConversionSourceChoices> {
    const tenant = this.tenants.of(organizationId);
    const supported: string[] = this.connectors.all.conversionSources.map(({ provider }) => provider);
    const half = LIST_LIMITS.conversionSources / 2;
    const apps = await tenant.app.findMany({
      where: {
        deletedAt: null,
        provider: { in: conversionSourceProviders.all, notIn: destinationProviders.all },
      },
      orderBy: { id: 'asc' },
      take: half,
    });
    const destinations = await tenant.destination.findMany({
      where: {
        deletedAt: null,
        app: { provider: { in: conversionSourceProviders.all.filter((name) => destinationProviders.all.includes(name)) } },
      },
      include: { app: true },
      orderBy: { id: 'asc' },
      take: half,
    });
    const isSetUp = (provider: string): boolean => provider === 'custom' || supported.includes(provider);
    return {
      items: [
        ...destinations.map(({ id, name, app }) => this.toChoice(app.provider, { appId: null, destinationId: id, name })),
        ...apps
          .filter(({ provider }) => isSetUp(provider))
          .map(({ id, displayName, provider }) => this.toChoice(provider, { appId: id, destinationId: null, name: displayName })),
      ],
    };
  }

  private toChoice(
    provider: string,
    choice: Pick<ConversionSourceChoice, 'appId' | 'destinationId' | 'name'>,
  ): ConversionSourceChoice {
    const connector = this.connectors.all.conversionSources.find((one) => one.provider === provider);
    const settingsSchema = connector ? (z.toJSONSchema(connector.settingsSchema, { io: 'input' }) as object) : null;
    return { ...choice, provider: provider as ConversionSourceChoice['provider'], settingsSchema };
  }
}
