import type { SqlQuery } from '../core/database/database.js';

// SQL: advisory lock.

/**
 * Serializes the actions of one person that count for one limit, over all organizations and processes, until the transaction
 * ends. It is always the first lock of its transaction, so that two transactions cannot deadlock. Cast to text, because Prisma cannot read
 * `void`.
 */
export async function lockPerson(query: SqlQuery, limit: 'invitations' | 'organizations', uid: string): Promise<void> {
  await query('select pg_advisory_xact_lock(hashtextextended($1, 0))::text', [`${limit}:${uid}`]);
}
