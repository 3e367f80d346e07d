import { Injectable } from '@nestjs/common';
import { minutesFor } from '../connections/index.js';
import { TenantDatabase, type TenantQuery } from '../core/database/tenant-database.js';
import { SLICE_DAYS } from '../sync/index.js';
import type { BackfillBody, BackfillEstimate } from './backfills.dto.js';
import { countDaysToRead, type DaysToRead } from './chunks.js';
import { type BackfillPlan, PlanBackfill } from './plan-backfill.js';

// SQL: averages over coverage and the log of runs.

/** Used until a run of the connection has ended. */
const USUAL_CALLS_PER_SLICE = 2;
/** Ended runs whose requests are counted. */
const MEASURED_RUNS = 5;
/** Loaded days whose rows are counted. */
const MEASURED_DAYS = 60;

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
      const rows = countRows(found, await rowsPerDay(query, plan));
      const slices = found.reduce((sum, { days }) => sum + Math.ceil(days / SLICE_DAYS), 0);
      const apiCalls = Math.ceil(slices * (await callsPerSlice(query, plan)));
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

async function rowsPerDay(query: TenantQuery, { connectionId, streams }: BackfillPlan): Promise<Map<string, number>> {
  const rows = await query<{ stream: string; rows: number }>(
    `select stream, avg(rows)::float8 as rows from coverage
      where organization_id = $1 and connection_id = $2 and stream = any($3) and day > current_date - ${MEASURED_DAYS}
        and state in ('provisional', 'final', 'restated', 'empty_confirmed')
      group by stream`,
    [connectionId, streams],
  );
  return new Map(rows.map(({ stream, rows: average }) => [stream, average]));
}

async function callsPerSlice(query: TenantQuery, { connectionId }: BackfillPlan): Promise<number> {
  const [row] = await query<{ calls: number | null }>(
    `with measured as (
       select id from runs where organization_id = $1 and connection_id = $2 and state = 'succeeded'
        order by queued_at desc limit ${MEASURED_RUNS})
     select (select count(*) from run_log_entries l join measured m on m.id = l.run_id
              where l.organization_id = $1 and l.request is not null)::float8
            / nullif((select count(*) from run_slices s join measured m on m.id = s.run_id where s.organization_id = $1), 0) as calls`,
    [connectionId],
  );
  return row?.calls ? Math.max(1, row.calls) : USUAL_CALLS_PER_SLICE;
}
