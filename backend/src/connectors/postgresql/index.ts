import type { Destination } from '../kit/contract.js';
import { checkDestination } from './check.js';
import { Database } from './connection.js';
import { toDestinationError } from './errors.js';
import { settingsSchema, type PostgresqlSettings } from './settings.js';
import { prepareTables, tableNameOf } from './tables.js';
import { readTotals } from './totals.js';
import { writeSlice } from './write.js';

export function postgresqlDestination(given: PostgresqlSettings): Destination {
  const settings = { ...settingsSchema.parse(given), password: given.password };
  const database = new Database(settings);
  return {
    provider: 'postgresql',
    check: (context) => checkDestination(settings, context),
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
