import type { DestinationConnector } from '../kit/connector.js';
import type { Destination } from '../kit/contract.js';
import type { EgressPolicy } from '../kit/egress.js';
import { checkDestination } from './check.js';
import { Database } from './connection.js';
import { toDestinationError } from './errors.js';
import { credentialsSchema, settingsSchema, type PostgresqlSettings } from './settings.js';
import { prepareTables, tableNameOf } from './tables.js';
import { readTotals } from './totals.js';
import { writeSlice } from './write.js';

export function postgresqlConnector(egress: EgressPolicy): DestinationConnector {
  return {
    provider: 'postgresql',
    name: 'PostgreSQL',
    category: 'warehouse',
    description: 'Tables with keys and comments in a database of yours, version 15 or newer. Each day is replaced as a whole.',
    settingsSchema,
    credentialKinds: [{ authMode: 'password', schema: credentialsSchema, scopes: [] }],
    oauth: null,
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

export function postgresqlDestination(settings: PostgresqlSettings, egress: EgressPolicy): Destination {
  const database = new Database(settings, egress);
  return {
    provider: 'postgresql',
    check: (context) => checkDestination(settings, egress, context),
    tableName: (stream) => tableNameOf(settings, stream),
    prepare: (_context, streams) =>
      translated(settings, async () => {
        const client = await database.connect();
        try {
          await prepareTables(client, settings, streams);
          client.release();
        } catch (error) {
          client.release(true);
          throw error;
        }
      }),
    write: (context, slice, pages, fence) => writeSlice(database, context, slice, pages, fence),
    totals: (_context, slice) => translated(settings, () => readTotals(database, slice)),
    close: () => database.close(),
  };
}

async function translated<Result>(settings: PostgresqlSettings, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toDestinationError(error, settings);
  }
}
