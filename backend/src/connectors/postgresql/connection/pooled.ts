import type pg from 'pg';
import { FixSettings } from '../../kit/errors.js';
import type { PostgresqlSettings } from '../settings.js';

/** A pooler in transaction mode. Temporary tables stay behind in a session that another load may get. */
export const pooledServer = ({ host, port }: Pick<PostgresqlSettings, 'host' | 'port'>): FixSettings =>
  new FixSettings({
    code: 'postgresql.pooler',
    message: `${host}:${port} is a pooler in transaction mode: each transaction gets another session of PostgreSQL.`,
    action: 'Enter the host and port of the server itself, or of a pooler in session mode',
    failureClass: 'config',
  });

/**
 * Whether transactions of `client` can be in different sessions. An open transaction of `other` keeps the session that a pooler
 * would otherwise give to both.
 */
export async function isPooled(client: pg.ClientBase, other: pg.ClientBase): Promise<boolean> {
  const first = await sessionOf(client);
  await other.query('BEGIN');
  try {
    return (await sessionOf(other)) === first || (await sessionOf(client)) !== first;
  } finally {
    await other.query('ROLLBACK').catch(() => undefined);
  }
}

async function sessionOf(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id');
  return rows[0]?.id;
}
