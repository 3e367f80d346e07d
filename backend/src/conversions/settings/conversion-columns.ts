import type { ProviderName } from '../../connectors/kit/contract.js';
import type { Connectors } from '../../catalog/index.js';
import { nextRunAt, scheduleColumn, type ScheduleBody } from '../../connections/index.js';
import type { PersonField } from '../../connectors/kit/conversion.js';
import type { ConversionTargetConnector } from '../../connectors/kit/conversion-target.js';
import { conversionSourceProviders, destinationProviders } from '../../connectors/registry.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { ConversionRulesBody } from '../conversions.dto.js';
import { mappingSchema } from './mapping.js';
import { type ConversionSettings, parseWith } from './open-conversion.js';

export const canRead = (provider: ProviderName, isDestination: boolean): boolean =>
  conversionSourceProviders.all.includes(provider) && destinationProviders.all.includes(provider) === isDestination;

export function parseSourceOf(connectors: Connectors, provider: ProviderName, settings: Record<string, unknown>): void {
  if (provider !== 'custom') parseWith(connectors.getConversionSource(provider).settingsSchema, settings, 'source.settings');
}

/** Validates the rules in the forms of the target's connector. */
export function toSettings(connector: ConversionTargetConnector, body: ConversionRulesBody): ConversionSettings {
  const { source, target } = body;
  return {
    ...{ sourceAppId: source.appId ?? null, sourceDestinationId: source.destinationId ?? null },
    sourceSettings: source.settings,
    targetAppId: target.appId,
    targetSettings: parseWith(connector.settingsSchema, target.settings, 'target.settings'),
    filter: body.filter ?? [],
    mapping: parseWith(mappingSchema, body.mapping, 'mapping') as ConversionSettings['mapping'],
    hashedFields: (body.hashedFields ?? []) as PersonField[],
    countRule: body.countRule ?? 'every',
    onUnknownConsent: body.onUnknownConsent ?? 'block',
    onUnknownOutcome: body.onUnknownOutcome ?? 'resend',
    defaultCountry: body.defaultCountry ?? null,
    hashesExternalId: body.hashesExternalId ?? true,
    sendsAdjustments: body.sendsAdjustments ?? false,
    testCode: body.testCode || null,
  };
}

export const columnsOf = (settings: ConversionSettings, { target }: ConversionRulesBody) => ({
  ...settings,
  sourceSettings: settings.sourceSettings as Prisma.InputJsonObject,
  targetSettings: settings.targetSettings as Prisma.InputJsonObject,
  filter: settings.filter.map((condition) => ({ ...condition })),
  mapping: settings.mapping as Prisma.InputJsonObject,
  targetAccountId: target.accountId,
  targetName: target.name,
});

export function scheduleColumns(body: ScheduleBody) {
  const schedule = scheduleColumn.get(body);
  return { schedule: scheduleColumn.write(schedule), nextRunAt: nextRunAt(schedule, new Date()) };
}

export function isOtherSource(
  current: { sourceAppId: string | null; sourceDestinationId: string | null; sourceSettings: unknown },
  next: ConversionSettings,
): boolean {
  const partsOf = ({ sourceAppId, sourceDestinationId, sourceSettings }: typeof current) =>
    JSON.stringify([sourceAppId, sourceDestinationId, sourceSettings]);
  return partsOf(current) !== partsOf(next);
}
