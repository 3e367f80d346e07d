import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database.js';
import type { Role } from './policy.js';

@Injectable()
export class AccessQueries {
  constructor(private readonly database: Database) {}

  /** Fails when the database does not answer. */
  async ping(): Promise<void> {
    await this.database.pool.query('select 1');
  }

  /** The caller's role in a living organization, or null: the one query every organization's request makes. */
  async findRole(uid: string, organizationId: string): Promise<Role | null> {
    const { rows } = await this.database.pool.query<{ role: Role }>({
      name: 'access-role',
      text: `select m.role
               from members m
               join organizations o on o.id = m.organization_id and o.deleted_at is null
              where m.organization_id = $1 and m.user_id = $2`,
      values: [organizationId, uid],
    });
    return rows[0]?.role ?? null;
  }
}
