import { defineConversionSource, defineDestination, type DestinationParts } from '../kit/declaration.js';
import type { Destination } from '../kit/contract.js';
import type { EgressPolicy } from '../kit/egress.js';
import { checkDestination } from './check.js';
import { Database } from './connection/connection.js';
import { previewSlice } from './preview.js';
import { comparableHost, credentialsSchema, settingsSchema, type PostgresqlSettings } from './settings.js';
import { hasValidCertificate } from './connection/certificate.js';
import { postgresqlConversionSource } from './source/index.js';
import { tableReplacement } from './replacement/swap.js';
import { locateTables } from './tables/locate.js';
import { tableNameOf } from './tables/names.js';
import { prepareTables } from './tables/prepare.js';
import { readTable, readTotals } from './tables/totals.js';
import { usualLimits } from './connection/transaction.js';
import { writeSlice } from './load/write.js';

export const postgresql = defineDestination({
  provider: 'postgresql',
  displayName: 'PostgreSQL',
  category: 'warehouse',
  description: 'Tables with keys and comments in your database, version 15 or newer. Each day is replaced as a whole.',
  settingsSchema,
  signIn: null,
  environment: {},
  create: (_environment, { egress }) => postgresqlConnector(egress),
});

export const postgresqlConversions = defineConversionSource({
  provider: 'postgresql',
  environment: {},
  create: (_environment, { egress }) => postgresqlConversionSource(egress),
});

export function postgresqlConnector(egress: EgressPolicy): DestinationParts {
  return {
    apiVersion: null,
    isAudited: true,
    resyncRefusal: null,
    credentialKinds: [{ authMode: 'password', schema: credentialsSchema, scopes: [] }],
    oauth: null,
    credentialTarget: (given) => {
      const { host, port, database, user, sslMode } = settingsSchema.parse(given);
      return { host: comparableHost(host), port, database, user, sslMode };
    },
    settle: async (given, signal) => {
      const settings = settingsSchema.parse(given);
      if (settings.sslMode !== 'automatic') return settings;
      return { ...settings, sslMode: (await hasValidCertificate(settings, egress, signal)) ? 'verify-full' : 'require' };
    },
    describe: (settings) => {
      const { user, host, database, schema } = settingsSchema.parse(settings);
      return { appName: `${user} at ${host}`, credentialHint: user, target: `${database}.${schema}` };
    },
    tableName: (settings, stream) => tableNameOf(settingsSchema.parse(settings), stream),
    open: (settings, access) => {
      if (access.authMode === 'oauth2') throw new Error('PostgreSQL is opened with a password');
      return postgresqlDestination({ ...settingsSchema.parse(settings), ...credentialsSchema.parse(access.credentials) }, egress);
    },
  };
}

/** `limits` are for tests, which use shorter ones. */
export function postgresqlDestination(settings: PostgresqlSettings, egress: EgressPolicy, limits = usualLimits): Destination {
  const database = new Database(settings, egress, limits);
  return {
    provider: 'postgresql',
    check: (context, mode) => checkDestination(settings, egress, context, mode),
    tableName: (stream) => tableNameOf(settings, stream),
    prepare: ({ signal }, streams) => database.use(signal, (client) => prepareTables(client, database, streams)),
    locate: ({ signal }, streams) => database.use(signal, (client) => locateTables(client, settings, streams)),
    write: (context, slice, pages, fence) => writeSlice(database, context, slice, pages, fence),
    preview: (context, slice, pages, fence) => previewSlice(database, context, slice, pages, fence),
    totals: ({ signal }, slice) => database.use(signal, (client) => readTotals(client, database, slice)),
    comparesText: true,
    readTable: ({ signal }, stream, range) => database.use(signal, (client) => readTable(client, database, stream, range)),
    replacement: tableReplacement(database),
    close: () => database.close(),
  };
}
