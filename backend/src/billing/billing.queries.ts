import { Inject, Injectable } from '@nestjs/common';
import { type Access, accessSql, isBilled } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { Plan, Subscription, SubscriptionStatusName } from './billing.dto.js';
import { planColumn } from './plan-column.js';
import { PlanCatalog } from './plan-catalog.js';

// SQL: a report with the access rule (`accessSql`) and the clock of the database.

interface SubscriptionRow {
  status: SubscriptionStatusName | null;
  access: Access;
  plan: unknown;
  priceId: string | null;
  hasSubscribed: boolean;
  trialEndsAt: Date | null;
  currentPeriodEnd: Date | null;
  graceEndsAt: Date | null;
  closedAt: Date | null;
  cancelAtPeriodEnd: boolean;
  customerId: string | null;
  syncedAt: Date | null;
  connectionsUsed: number;
  connectionsActive: number;
  [column: string]: unknown;
}

@Injectable()
export class BillingQueries {
  private readonly access: string;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly plans: PlanCatalog,
  ) {
    this.access = accessSql(env, 's');
  }

  async getSubscription(organizationId: string): Promise<Subscription> {
    const [row] = await this.tenants.query<SubscriptionRow>(
      organizationId,
      `select s.status, ${this.access} as access, s.plan, s.price_id as "priceId",
              coalesce(s.has_subscribed, false) as "hasSubscribed",
              s.trial_ends_at as "trialEndsAt", s.current_period_end as "currentPeriodEnd", s.grace_ends_at as "graceEndsAt",
              coalesce(s.closed_at, case when s.grace_ends_at <= now() then s.grace_ends_at end) as "closedAt",
              coalesce(s.cancel_at_period_end, false) as "cancelAtPeriodEnd", s.customer_id as "customerId",
              s.synced_at as "syncedAt", used.connections as "connectionsUsed", used.active as "connectionsActive"
         from organizations o
         left join subscriptions s on s.organization_id = o.id
        cross join lateral (
          select count(*)::int as connections, count(*) filter (where c.desired = 'active')::int as active
            from connections c where c.organization_id = o.id and c.payment_id is null and c.deleted_at is null) used
        where o.id = $1`,
    );
    if (!row) throw new Error('the organization does not exist');
    const isOn = isBilled(this.env);
    return {
      isBilled: isOn,
      status: isOn ? (row.status ?? 'none') : 'active',
      access: row.access,
      plan: isOn ? (planColumn.read(row.plan) ?? (await this.findPlan(row.priceId))) : null,
      trialDays: isOn && (!row.hasSubscribed || row.status === 'trialing') ? this.env.TRIAL_DAYS : 0,
      trialEndsAt: toText(row.trialEndsAt),
      currentPeriodEnd: toText(row.currentPeriodEnd),
      graceEndsAt: toText(row.graceEndsAt),
      closedAt: toText(row.closedAt),
      cancelAtPeriodEnd: row.cancelAtPeriodEnd,
      connectionLimit: isOn ? (this.env.PLAN_CONNECTIONS ?? null) : null,
      connectionsUsed: row.connectionsUsed,
      connectionsWaiting: row.access === 'closed' ? row.connectionsActive : 0,
      hasCustomer: row.customerId !== null,
      syncedAt: toText(row.syncedAt),
    };
  }

  /** The subscribed price if the sync could not read its plan, otherwise the offered plan. */
  private findPlan(priceId: string | null): Promise<Plan | null> {
    return priceId === null ? this.plans.findOffered() : this.plans.find(priceId);
  }
}

const toText = (moment: Date | null): string | null => moment?.toISOString() ?? null;
