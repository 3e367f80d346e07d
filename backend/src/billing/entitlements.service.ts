import { Inject, Injectable } from '@nestjs/common';
import { type Access, accessSql, isBilled } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { Problem } from '../core/http/problem.js';
import { countConnections } from '../read-models/index.js';
import { type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';

// SQL: the access rule (`accessSql`), and the lock on the organization's row.

/** Subscription checks for jobs and other modules. The access guard checks requests. */
@Injectable()
export class Entitlements {
  private readonly access: string;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
  ) {
    this.access = accessSql(env, 's');
  }

  async isClosed(organizationId: string): Promise<boolean> {
    if (!isBilled(this.env)) return false;
    const [row] = await this.tenants.query<{ access: Access }>(
      organizationId,
      `select ${this.access} as access from organizations o left join subscriptions s on s.organization_id = o.id where o.id = $1`,
    );
    return row?.access === 'closed';
  }

  /** Part of the transaction that creates a connection. The organization's row is locked until it ends. */
  async assertRoomForConnection(query: TenantQuery): Promise<void> {
    const limit = this.env.PLAN_CONNECTIONS;
    if (!isBilled(this.env) || limit === undefined) return;
    await query('select id from organizations where id = $1 for no key update');
    const used = await countConnections(query);
    if (used < limit) return;
    throw new Problem('subscription.limit_reached', {
      detail: `The plan includes ${limit} connections, and ${used} exist.`,
      action: 'Choose a larger plan, or delete a connection',
    });
  }
}
