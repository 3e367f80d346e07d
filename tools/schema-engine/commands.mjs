import pg from 'pg';
import { parseDatabaseUrl, withDatabase } from './database-url.mjs';

const DUPLICATE_DATABASE = '42P04';

/**
 * @template Result
 * @param {string} connectionString
 * @param {(client: pg.Client) => Promise<Result>} use
 */
async function withClient(connectionString, use) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** @param {string} databaseUrl */
export async function checkConnection(databaseUrl) {
  await withClient(parseDatabaseUrl(databaseUrl).connectionString, (client) => client.query('select 1'));
}

/** @param {string} databaseUrl */
export async function createDatabase(databaseUrl) {
  const { connectionString, database } = parseDatabaseUrl(databaseUrl);
  await withClient(withDatabase(connectionString, 'postgres'), async (client) => {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`).catch((error) => {
      if (error.code !== DUPLICATE_DATABASE) throw error;
    });
  });
  return { databaseName: database };
}
