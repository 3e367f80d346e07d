import type { SqlQuery } from '../core/database/database.js';

/**
 * Serializes what one person does under one limit, over all organizations and processes, until the transaction ends. Always the
 * first lock of its transaction, so that two transactions cannot deadlock.
 */
export async function lockPerson(query: SqlQuery, limit: 'invitations' | 'organizations', uid: string): Promise<void> {
  await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${limit}:${uid}`]);
}
