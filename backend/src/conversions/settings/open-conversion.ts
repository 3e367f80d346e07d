import type { ProviderName } from '../../connectors/kit/contract.js';
import { Injectable } from '@nestjs/common';
import { AuthorizedApps } from '../../apps/index.js';
import { Connectors } from '../../catalog/index.js';
import type { ConversionPolicy, PersonField } from '../../connectors/kit/conversion.js';
import type { ConversionSource, SourceCursor } from '../../connectors/kit/conversion-source.js';
import type { ConversionTarget } from '../../connectors/kit/conversion-target.js';
import { PushedEvents } from '../../custom-apps/index.js';
import { DestinationsService } from '../../destinations/index.js';
import type { Conversion, CountRule, UnknownConsent, UnknownOutcome } from '../../generated/prisma/client.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { PrepareRules } from '../ledger/prepare-event.js';
import type { OutcomeRules } from '../run/outcomes.js';
import { pushSource } from './push-source.js';
import { filterSchema, mappingSchema, type Filter, type Mapping } from './mapping.js';

/** The settings that decide what is read and sent. A preview has them before the conversion is saved. */
export interface ConversionSettings {
  sourceAppId: string | null;
  sourceDestinationId: string | null;
  sourceSettings: Record<string, unknown>;
  targetAppId: string;
  targetSettings: Record<string, unknown>;
  filter: Filter;
  mapping: Mapping;
  hashedFields: PersonField[];
  countRule: CountRule;
  onUnknownConsent: UnknownConsent;
  onUnknownOutcome: UnknownOutcome;
  defaultCountry: string | null;
  hashesExternalId: boolean;
  sendsAdjustments: boolean;
  testCode: string | null;
}

export interface OpenedConversion {
  /** Of the conversion when it was opened. */
  version: number;
  target: ConversionTarget;
  filter: Filter;
  prepareRules: PrepareRules;
  cursor: SourceCursor | null;
  since: Date;
  rules(): Omit<OutcomeRules, 'traits'>;
  /** The caller closes it. */
  openSource(): Promise<ConversionSource>;
}

/** Opens the source and the target of a conversion, with the credentials of their apps. */
@Injectable()
export class OpenConversion {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
    private readonly apps: AuthorizedApps,
    private readonly destinations: DestinationsService,
    private readonly pushed: PushedEvents,
  ) {}

  async open(conversion: Conversion): Promise<OpenedConversion> {
    const { organizationId, id } = conversion;
    const settings = readSettings(conversion);
    const target = await this.openTarget(organizationId, settings);
    return {
      ...{ version: conversion.version, target, filter: settings.filter },
      prepareRules: prepareRulesOf(id, settings, target),
      cursor: conversion.cursor as SourceCursor | null,
      since: conversion.since,
      rules: () => ({ onUnknownOutcome: settings.onUnknownOutcome, now: new Date() }),
      openSource: () => this.openSource(organizationId, settings),
    };
  }

  async openTarget(organizationId: string, settings: ConversionSettings): Promise<ConversionTarget> {
    const provider = await this.providerOf(organizationId, settings.targetAppId);
    const connector = this.connectors.getConversionTarget(provider);
    const parsed = parseWith(connector.settingsSchema, settings.targetSettings, 'target.settings');
    const tokens = this.apps.tokensOf(organizationId, settings.targetAppId);
    return connector.open(parsed, tokens, policyOf(settings), settings.testCode);
  }

  async openSource(
    organizationId: string,
    {
      sourceAppId,
      sourceDestinationId,
      sourceSettings,
    }: Pick<ConversionSettings, 'sourceAppId' | 'sourceDestinationId' | 'sourceSettings'>,
  ): Promise<ConversionSource> {
    if (sourceDestinationId) {
      const { provider, settings: place, access } = await this.destinations.openCredentials(organizationId, sourceDestinationId);
      const connector = this.connectors.getConversionSource(provider);
      return connector.open(parseWith(connector.settingsSchema, sourceSettings, 'source.settings'), place, access);
    }
    const provider = await this.providerOf(organizationId, sourceAppId ?? '');
    if (provider === 'custom') return pushSource(this.pushed, organizationId, sourceAppId ?? '');
    const connector = this.connectors.getConversionSource(provider);
    const access = await this.apps.openKey(organizationId, sourceAppId ?? '');
    return connector.open(parseWith(connector.settingsSchema, sourceSettings, 'source.settings'), {}, access);
  }

  private async providerOf(organizationId: string, appId: string): Promise<ProviderName> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id: appId, deletedAt: null } });
    if (!app) throw notFound('The app');
    return app.provider;
  }
}

export const prepareRulesOf = (conversionId: string, settings: ConversionSettings, target: ConversionTarget): PrepareRules => ({
  ...{ conversionId, mapping: settings.mapping, hashedFields: settings.hashedFields, target },
  countsFirstOnly: settings.countRule === 'first_only',
  sendsAdjustments: settings.sendsAdjustments,
});

const policyOf = ({ onUnknownConsent, defaultCountry, hashesExternalId }: ConversionSettings): ConversionPolicy => ({
  ...{ onUnknownConsent, defaultCountry, hashesExternalId },
});

/** JSON columns are validated when they are read: an older release may have stored them. */
export const readSettings = (conversion: Conversion): ConversionSettings => ({
  ...conversion,
  sourceSettings: conversion.sourceSettings as Record<string, unknown>,
  targetSettings: conversion.targetSettings as Record<string, unknown>,
  filter: filterSchema.parse(conversion.filter),
  mapping: mappingSchema.parse(conversion.mapping),
  hashedFields: conversion.hashedFields as PersonField[],
});

interface Schema {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: Record<string, unknown> }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

export function parseWith(schema: Schema, value: unknown, field: string): Record<string, unknown> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({ field: [field, ...path.map(String)].join('.'), message }));
  throw new Problem('request.invalid', {
    detail: errors.map(({ field: name, message }) => `${name}: ${message}`).join('; '),
    errors,
  });
}
