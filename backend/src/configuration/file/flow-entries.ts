import type { ExcludedColumns } from '../../connectors/kit/rows/excluded-columns.js';
import type { Connection, Conversion } from '../../generated/prisma/client.js';
import type { ConfiguredConnection, ConfiguredConversion } from './flows.dto.js';
import { byText } from './identities.js';
import { scheduleColumn } from '../../connections/index.js';

export function toConnection(row: Connection, source: string, destination: string): ConfiguredConnection {
  return {
    ...{ name: row.name, source, destination, streams: row.streams },
    ...{ leftOut: columnsOf(row.leftOut), hashedFields: columnsOf(row.hashed) },
    schedule: scheduleColumn.get(row.schedule),
    lookbackDays: row.lookbackDays,
    freshnessTarget: row.freshnessTarget as ConfiguredConnection['freshnessTarget'],
    historyFrom: row.historyFrom.toISOString().slice(0, 10),
    ...{ schemaPolicy: row.schemaPolicy, emptyPolicy: row.emptyPolicy, tags: row.tags },
    // An imported connection that waits for its apps is wanted active.
    desired: row.pausedReason === 'import' ? 'active' : row.desired,
  };
}

const columnsOf = (stored: unknown): { stream: string; columns: string[] }[] =>
  Object.entries(stored as ExcludedColumns)
    .map(([stream, columns = []]) => ({ stream, columns: columns.toSorted(byText) }))
    .sort((left, right) => byText(left.stream, right.stream));

interface Ends {
  app: string | null;
  destination: string | null;
  target: string;
}

export function toConversion(row: Conversion, { app, destination, target }: Ends): ConfiguredConversion {
  return {
    name: row.name,
    source: { app, destination, settings: row.sourceSettings as Record<string, unknown> },
    target: {
      ...{ app: target, accountId: row.targetAccountId, name: row.targetName },
      settings: row.targetSettings as Record<string, unknown>,
    },
    filter: row.filter as unknown as ConfiguredConversion['filter'],
    mapping: row.mapping as Record<string, unknown>,
    hashedFields: row.hashedFields as ConfiguredConversion['hashedFields'],
    ...{ countRule: row.countRule, onUnknownConsent: row.onUnknownConsent, onUnknownOutcome: row.onUnknownOutcome },
    ...{ defaultCountry: row.defaultCountry, hashesExternalId: row.hashesExternalId },
    ...{ sendsAdjustments: row.sendsAdjustments, testCode: row.testCode },
    schedule: scheduleColumn.get(row.schedule),
    since: row.since.toISOString(),
  };
}
