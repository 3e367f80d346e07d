import { readFileSync } from 'node:fs';
import pg from 'pg';
import { inRepository } from '../repository.ts';

export interface Account {
  role: string;
  password: string;
}

/**
 * Makes `owner` the owner of a database and its objects, and lets only `application` connect.
 * @param superuserUrl the database, with a superuser's credentials
 */
export async function prepareRoles(superuserUrl: string, owner: Account, application?: Account): Promise<void> {
  const settings = {
    'tributary.owner': owner.role,
    'tributary.owner_password': owner.password,
    'tributary.application': application?.role ?? '',
    'tributary.application_password': application?.password ?? '',
  };
  await withClient(superuserUrl, async (client) => {
    for (const [name, value] of Object.entries(settings)) await client.query('select set_config($1, $2, false)', [name, value]);
    await client.query(readFileSync(inRepository('deploy', 'postgres-roles.sql'), 'utf8'));
  });
}

/** @param otherUrl another database of the same server, because the altered one may reject connections */
export function allowConnections(otherUrl: string, database: string): Promise<void> {
  return withClient(otherUrl, async (client) => {
    await client.query(`alter database ${client.escapeIdentifier(database)} with allow_connections true`);
  });
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export function accountUrl(url: string, { role, password }: Account): string {
  return Object.assign(new URL(url), { username: role, password }).href;
}
