import { Injectable } from '@nestjs/common';
import type { ProviderName } from '../../connectors/kit/contract.js';
import type { ExcludedColumns } from '../../connectors/kit/rows/excluded-columns.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { notFound } from '../../core/http/problem.js';
import type { ReconciliationEntry } from './reconciliations.dto.js';

// SQL: a report that counts accounts within JSON.

export interface ReconciledConnection {
  desired: 'active' | 'paused';
  sourceId: string;
  provider: ProviderName;
  appId: string;
  appName: string;
  appState: string;
  appFailure: Failure | null;
  quota: { usedPercent: number; resetAt: string | null; at: string } | null;
  streams: string[];
  leftOut: ExcludedColumns;
  /** Set on the connection; null: the platform's windows. */
  lookbackDays: number | null;
  historyFrom: string;
  /** Accounts of the app that are not part of the source. */
  excludedAccounts: number;
  /** Their names. */
  unselectedAccounts: string[];
}

type Times = 'requestedAt' | 'startedAt' | 'endedAt';
type EntryRow = Omit<ReconciliationEntry, Times> & Record<Times, Date | null>;

@Injectable()
export class ReconciliationsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  async getConnection(organizationId: string, connectionId: string): Promise<ReconciledConnection> {
    const [row] = await this.tenants.query<ReconciledConnection & Record<string, unknown>>(
      organizationId,
      `select c.desired, c.source_id as "sourceId", a.provider, a.id as "appId", a.display_name as "appName", a.state as "appState",
              a.failure as "appFailure", a.quota, c.streams, c.left_out as "leftOut", c.lookback_days as "lookbackDays",
              c.history_from as "historyFrom",
              unselected.count as "excludedAccounts", unselected.names as "unselectedAccounts"
         from connections c
         join sources s on s.organization_id = c.organization_id and s.id = c.source_id
         join apps a on a.organization_id = s.organization_id and a.id = s.app_id
         cross join lateral (
           select count(*)::int as count, coalesce(array_agg(account->>'name' order by account->>'name'), '{}') as names
             from jsonb_array_elements(a.accounts) account where account->>'externalId' <> all(s.account_ids)) unselected
        where c.organization_id = $1 and c.id = $2 and c.deleted_at is null`,
      [connectionId],
    );
    if (!row) throw notFound('The connection');
    return row;
  }

  /** The queued or running reconciliation, and the last finished one. */
  async listNewest(
    organizationId: string,
    connectionId: string,
  ): Promise<{ current: ReconciliationEntry | null; last: ReconciliationEntry | null }> {
    const rows = await this.tenants.query<EntryRow>(
      organizationId,
      `select distinct on (r.ended_at is null) r.id, r.state, r.trigger, u.full_name as "requestedBy", r.requested_at as "requestedAt",
              r.started_at as "startedAt", r.ended_at as "endedAt", r.accounts, r.skipped_accounts as "skippedAccounts",
              r.excluded_accounts as "excludedAccounts", r.api_calls as "apiCalls", r.days as "accountDays",
              r.late_days as "lateAccountDays", r.restated_days as "restatedAccountDays", r.excluded_days as "excludedAccountDays",
              r.lost_days as "lostAccountDays", r.differences, r.exclusions, r.run_id as "runId", r.failure
         from reconciliations r left join users u on u.uid = r.actor
        where r.organization_id = $1 and r.connection_id = $2
        order by r.ended_at is null, r.requested_at desc`,
      [connectionId],
    );
    const entries = rows.map(toEntry);
    return {
      current: entries.find(({ endedAt }) => endedAt === null) ?? null,
      last: entries.find(({ endedAt }) => endedAt !== null) ?? null,
    };
  }
}

const toEntry = ({ requestedAt, startedAt, endedAt, ...row }: EntryRow): ReconciliationEntry => ({
  ...row,
  requestedAt: requestedAt?.toISOString() ?? '',
  startedAt: startedAt?.toISOString() ?? null,
  endedAt: endedAt?.toISOString() ?? null,
});
