import { Injectable } from '@nestjs/common';
import { minutesFor } from '../connections/index.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { callsPerSlice, rowsPerDay } from '../read-models/index.js';
import { SLICE_DAYS } from '../sync/index.js';
import type { BackfillBody, BackfillEstimate } from './backfills.dto.js';
import { countDaysToRead, type DaysToRead } from './chunks.js';
import { type BackfillPlan, PlanBackfill } from './plan-backfill.js';

/** Used until a run of the connection has ended. */
const USUAL_CALLS_PER_SLICE = 2;

/** Estimates a backfill from the days and runs of the connection, without a request to the platform. */
@Injectable()
export class EstimateBackfill {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly plans: PlanBackfill,
  ) {}

  async estimate(organizationId: string, connectionId: string, body: BackfillBody): Promise<BackfillEstimate> {
    return this.estimatePlan(organizationId, await this.plans.plan(organizationId, connectionId, body));
  }

  async estimateResync(organizationId: string, connectionId: string, stream: string): Promise<BackfillEstimate> {
    return this.estimatePlan(organizationId, await this.plans.planResync(organizationId, connectionId, stream));
  }

  async estimatePlan(organizationId: string, plan: BackfillPlan): Promise<BackfillEstimate> {
    return this.tenants.transaction(organizationId, async (query) => {
      const found = await countDaysToRead(query, plan);
      const rows = countRows(found, await rowsPerDay(query, plan.connectionId, plan.streams));
      const slices = found.reduce((sum, { days }) => sum + Math.ceil(days / SLICE_DAYS), 0);
      const measured = await callsPerSlice(query, plan.connectionId);
      const apiCalls = Math.ceil(slices * (measured ? Math.max(1, measured) : USUAL_CALLS_PER_SLICE));
      return {
        from: plan.from,
        to: plan.to,
        adjustedFrom: plan.adjustedReason ? plan.from : null,
        adjustedReason: plan.adjustedReason,
        accountDays: found.reduce((sum, { days }) => sum + days, 0),
        apiCalls,
        rows,
        minutes: minutesFor({ rows: rows ?? 0, apiCalls }),
      };
    });
  }
}

/** Null if no day of these streams was loaded before. */
function countRows(found: DaysToRead[], perDay: Map<string, number>): number | null {
  if (perDay.size === 0) return null;
  return Math.round(found.reduce((sum, { stream, days }) => sum + days * (perDay.get(stream) ?? 0), 0));
}
