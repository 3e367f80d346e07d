/** Profile demo of docker-compose.yml, before the product starts: databases, roles, and the lasting faults of the sandbox. */
import pg from 'pg';
import { type Account, allowConnections, prepareRoles } from '../postgres/roles.ts';
import { restoreFaults } from '../start/portfolio/seed-portfolio.ts';
import { demoSetting, onDatabase } from './settings.ts';

// SQL: creates databases, which have no table yet.

const superuser = demoSetting('SUPERUSER_URL');
const maintenance = onDatabase(superuser, 'postgres');

/** The account of a connection URL. */
function accountOf(name: string): Account {
  const { username, password } = new URL(demoSetting(name));
  return { role: decodeURIComponent(username), password: decodeURIComponent(password) };
}

async function ensureDatabase(name: string): Promise<void> {
  const client = new pg.Client({ connectionString: maintenance });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);
const product = databaseOf(demoSetting('DATABASE_URL'));
const warehouse = databaseOf(demoSetting('DEMO_WAREHOUSE_URL'));

for (const name of [product, warehouse]) await ensureDatabase(name);
// Resets a fault of the sandbox that makes the database reject connections.
await allowConnections(maintenance, warehouse);
await prepareRoles(onDatabase(superuser, product), accountOf('MIGRATION_DATABASE_URL'), accountOf('DATABASE_URL'));
await prepareRoles(onDatabase(superuser, warehouse), accountOf('DEMO_WAREHOUSE_URL'));
await restoreFaults(demoSetting('SANDBOX_URL'), demoSetting('PORTFOLIO_FILE'));
