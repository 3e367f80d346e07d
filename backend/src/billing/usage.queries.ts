import { Inject, Injectable } from '@nestjs/common';
import { isBilled } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { countUsage, listRowsByDay } from '../read-models/index.js';
import type { Usage } from './billing.dto.js';

/** Usage of an organization, counted on request. */
@Injectable()
export class UsageQueries {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
  ) {}

  async getUsage(organizationId: string): Promise<Usage> {
    const { tenants } = this;
    const [[counts], rowsByDay] = await Promise.all([
      countUsage(tenants, organizationId),
      listRowsByDay(tenants, organizationId),
    ]);
    if (!counts) throw new Error('the organization does not exist');
    const { connections, members, apps, sources, destinations, rowsThisMonth, runsThisMonth } = counts;
    const limit = isBilled(this.env) ? (this.env.PLAN_CONNECTIONS ?? null) : null;
    return {
      connections: { used: connections, limit },
      members,
      apps,
      sources,
      destinations,
      rowsThisMonth,
      rowsByDay,
      runsThisMonth,
    };
  }
}
