import { Injectable } from '@nestjs/common';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { ProofAccount, ProofRepair, ProofSums, ProofTotal, RunProof } from './run-proof.dto.js';
import { RunsQueries } from './runs.queries.js';
import { IS_COMPARED, SLICES_OF_RUN } from './slices-of-run.js';

// SQL: sums of slices by stream and currency, by stream and account, and over the run, in one statement.

interface GroupRow extends ProofSums {
  kind: 'run' | 'total' | 'account';
  stream: string;
  accountId: string;
  accountName: string;
  currency: string;
  accounts: number;
  comparedAt: Date | null;
  comparisonMs: number | null;
}

/** Null if a compared slice does not know the metric. Stored sums of fractions are not exact: `2107.8999999995`. */
const sumOf = (metric: string, side: string): string =>
  `case when bool_and(metrics->'${metric}'->>'${side}' is not null) filter (where is_compared)
        then round(sum((metrics->'${metric}'->>'${side}')::numeric), 6)::float8 end`;

/** Slices of earlier versions have no metrics; all their streams had a cost. */
const cost = (sum: string): string =>
  `case when bool_or(coalesce((metrics->>'hasCost')::boolean, true)) filter (where is_compared) then coalesce(${sum}, 0)::text end`;

const LACKS_ROWS = `is_compared and not is_late and rows_found < rows_read`;

const SUMS = `
  select case when grouping(stream) = 1 then 'run' when grouping(account_id) = 1 then 'total' else 'account' end as kind,
         stream, currency, account_id as "accountId", min(name) as "accountName", count(distinct account_id)::int as accounts,
         coalesce(sum(rows_read) filter (where is_compared), 0)::float8 as "rowsRead",
         coalesce(sum(rows_found) filter (where is_compared), 0)::float8 as "rowsFound",
         coalesce(sum(rows_read - rows_found) filter (where ${LACKS_ROWS}), 0)::float8 as "rowsMissing",
         coalesce(sum(rows_found - rows_read) filter (where is_compared and rows_found > rows_read), 0)::float8 as "rowsExtra",
         ${cost('sum(cost_micros) filter (where is_compared)')} as "costMicrosRead",
         ${cost('sum(cost_found) filter (where is_compared)')} as "costMicrosFound",
         ${cost(`sum(cost_micros - cost_found) filter (where ${LACKS_ROWS})`)} as "costMicrosMissing",
         ${sumOf('clicks', 'read')} as "clicksRead", ${sumOf('clicks', 'found')} as "clicksFound",
         ${sumOf('impressions', 'read')} as "impressionsRead", ${sumOf('impressions', 'found')} as "impressionsFound",
         ${sumOf('conversions', 'read')} as "conversionsRead", ${sumOf('conversions', 'found')} as "conversionsFound",
         coalesce(bool_and(is_equal), false) as "isEqual", count(stream)::int as slices,
         count(*) filter (where is_compared)::int as "slicesCompared", count(*) filter (where is_late)::int as "slicesLate",
         max(ended_at) filter (where is_compared) as "comparedAt",
         sum((step_ms->>'verify')::int) filter (where is_compared)::float8 as "comparisonMs"
    from (select s.*, coalesce(account->>'name', s.account_id) as name, coalesce(account->>'currency', 'XXX') as currency,
                 s.state = 'done' as is_equal, coalesce(${IS_COMPARED}, false) as is_compared,
                 coalesce(s.failure->>'code' = 'sync.unverified_late', false) as is_late
            ${SLICES_OF_RUN}) slices
   group by grouping sets ((), (stream, currency), (stream, currency, account_id))
   order by kind, coalesce(bool_and(is_equal), false), stream, currency, min(name), account_id`;

/** Days of different slices that no later run has loaded. A re-sync differs in a table that is not used yet. */
const REPAIR = `
  select array_agg(distinct v.stream order by v.stream) as streams, array_agg(distinct v.account_id order by v.account_id) as accounts,
         min(v.day) as from, max(v.day) as to, count(*)::int as days,
         (count(*) filter (where v.state = 'loading'))::int as "daysLoading"
    from runs r
    join run_slices s on s.organization_id = r.organization_id and s.run_id = r.id and s.failure->>'code' = 'sync.mismatch'
    join coverage v on v.organization_id = r.organization_id and v.connection_id = r.connection_id and v.stream = s.stream
                   and v.account_id = s.account_id and v.day between s.day_from and s.day_to and v.state in ('missing', 'failed', 'loading')
   where r.organization_id = $1 and r.id = $2 and not coalesce(r.scope ? 'resync', false)
  having count(*) > 0`;

@Injectable()
export class RunProofQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly runs: RunsQueries,
  ) {}

  async getProof(organizationId: string, runId: string): Promise<RunProof> {
    const [run, rows, [repair]] = await Promise.all([
      this.runs.getRunSummary(organizationId, runId),
      this.tenants.query<GroupRow>(organizationId, SUMS, [runId]),
      this.tenants.query<ProofRepair>(organizationId, REPAIR, [runId]),
    ]);
    const all = rows.find(({ kind }) => kind === 'run');
    return {
      runId,
      connectionId: run.connectionId,
      state: run.state,
      window: run.window,
      startedAt: run.startedAt,
      endedAt: run.endedAt,
      comparedAt: all?.comparedAt?.toISOString() ?? null,
      comparisonMs: all?.comparisonMs ?? null,
      rowsRead: all?.rowsRead ?? 0,
      rowsFound: all?.rowsFound ?? 0,
      slices: all?.slices ?? 0,
      slicesCompared: all?.slicesCompared ?? 0,
      isEqual: all?.isEqual ?? false,
      totals: rows
        .filter(({ kind }) => kind === 'total')
        .slice(0, LIST_LIMITS.proofTotals)
        .map(toTotal),
      accounts: rows
        .filter(({ kind }) => kind === 'account')
        .slice(0, LIST_LIMITS.proofAccounts)
        .map(toAccount),
      repair: repair ?? null,
    };
  }
}

const toTotal = (row: GroupRow): ProofTotal => ({
  stream: row.stream,
  currency: row.currency,
  accounts: row.accounts,
  ...sumsOf(row),
});

const toAccount = (row: GroupRow): ProofAccount => ({
  stream: row.stream,
  accountId: row.accountId,
  accountName: row.accountName,
  currency: row.currency,
  ...sumsOf(row),
});

function sumsOf(row: GroupRow): ProofSums {
  const { kind: _kind, stream: _stream, currency: _currency, accountId: _id, accountName: _name, ...rest } = row;
  const { accounts: _accounts, comparedAt: _at, comparisonMs: _ms, ...sums } = rest;
  return sums;
}
