import { Injectable } from '@nestjs/common';
import type { ProviderName } from '../../connectors/kit/contract.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { notFound } from '../../core/http/problem.js';
import type { AuditRange } from '../jobs/audit-parts.js';
import type { LoadedDay } from '../jobs/compare-table.js';
import type { DestinationAuditEntry } from './destination-audits.dto.js';

// SQL: one statement over a connection, its target and its newest day.

export interface AuditedConnection {
  name: string;
  desired: 'active' | 'paused';
  sourceId: string;
  destinationId: string;
  provider: ProviderName;
  streams: string[];
  leftOut: Partial<Record<string, string[]>>;
}

type EntryRow = Omit<DestinationAuditEntry, 'requestedAt' | 'startedAt' | 'endedAt'> &
  Record<'requestedAt' | 'startedAt' | 'endedAt', Date | null>;

/** Days whose rows the destination should have. */
const LOADED = `('provisional', 'final', 'restated', 'empty_confirmed')`;

@Injectable()
export class DestinationAuditsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  async getConnection(organizationId: string, connectionId: string): Promise<AuditedConnection> {
    const [row] = await this.tenants.query<AuditedConnection & Record<string, unknown>>(
      organizationId,
      `select c.name, c.desired, c.source_id as "sourceId", c.destination_id as "destinationId", a.provider, c.streams,
              c.left_out as "leftOut"
         from connections c
         join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
         join apps a on a.organization_id = d.organization_id and a.id = d.app_id
        where c.organization_id = $1 and c.id = $2 and c.deleted_at is null`,
      [connectionId],
    );
    if (!row) throw notFound('The connection');
    return row;
  }

  /** The queued or running audit, and the last finished one. */
  async listNewest(
    organizationId: string,
    connectionId: string,
  ): Promise<{ current: DestinationAuditEntry | null; last: DestinationAuditEntry | null }> {
    const rows = await this.tenants.query<EntryRow>(
      organizationId,
      `select distinct on (a.ended_at is null) a.id, a.state, a.trigger, u.full_name as "requestedBy", a.requested_at as "requestedAt",
              a.started_at as "startedAt", a.ended_at as "endedAt", a.tables, a.days as "accountDays",
              a.days_by_sums as "accountDaysBySums", a.rows::float8 as rows, a.differing_days as "differingAccountDays",
              a.differences, a.run_id as "runId", a.failure
         from destination_audits a left join users u on u.uid = a.actor
        where a.organization_id = $1 and a.connection_id = $2
        order by a.ended_at is null, a.requested_at desc`,
      [connectionId],
    );
    const entries = rows.map(toEntry);
    return {
      current: entries.find(({ endedAt }) => endedAt === null) ?? null,
      last: entries.find(({ endedAt }) => endedAt !== null) ?? null,
    };
  }

  /** The accounts and days that were loaded, for each of the connection's streams. */
  async listLoadedRanges(
    organizationId: string,
    connectionId: string,
    { streams }: AuditedConnection,
    accountIds: string[],
  ): Promise<Map<string, AuditRange>> {
    const rows = await this.tenants.query<AuditRange & { stream: string }>(
      organizationId,
      `select stream, array_agg(distinct account_id order by account_id) as "accountIds", min(day) as from, max(day) as to
         from coverage
        where organization_id = $1 and connection_id = $2 and stream = any($3) and account_id = any($4) and state in ${LOADED}
        group by stream`,
      [connectionId, streams, accountIds],
    );
    return new Map(rows.map(({ stream, ...range }) => [stream, range]));
  }

  /**
   * The rows that the destination should have for a stream, by account and day. Several connections may load the same rows of a
   * table: the values verified last are used. Imported days have no sums yet.
   */
  listLoadedDays(
    organizationId: string,
    connectionId: string,
    destinationId: string,
    { stream, accountIds, from, to }: AuditRange & { stream: string },
  ): Promise<LoadedDay[]> {
    return this.tenants.query<LoadedDay & Record<string, unknown>>(
      organizationId,
      `select own.stream, own.account_id as "accountId", own.day, newest.rows, newest.cost_micros as "costMicros", newest.clicks,
              newest.impressions, newest.content_hash as "contentHash"
         from coverage own
         join connections me on me.organization_id = own.organization_id and me.id = own.connection_id
        cross join lateral (
          select v.rows, v.cost_micros, v.clicks, v.impressions, v.content_hash
            from connections c
            join coverage v on v.organization_id = c.organization_id and v.connection_id = c.id
             and v.stream = own.stream and v.account_id = own.account_id and v.day = own.day
           where c.organization_id = own.organization_id and c.destination_id = $3
             and (c.id = me.id or (c.left_out -> own.stream, c.hashed -> own.stream) is not distinct from (me.left_out -> own.stream, me.hashed -> own.stream))
             and v.state in ${LOADED} and v.first_loaded_at is not null
           order by v.last_verified_at desc limit 1) newest
        where own.organization_id = $1 and own.connection_id = $2 and own.stream = $4 and own.account_id = any($5)
          and own.day between $6 and $7 and own.state in ${LOADED}`,
      [connectionId, destinationId, stream, accountIds, from, to],
    );
  }
}

const toEntry = ({ requestedAt, startedAt, endedAt, ...row }: EntryRow): DestinationAuditEntry => ({
  ...row,
  requestedAt: requestedAt?.toISOString() ?? '',
  startedAt: startedAt?.toISOString() ?? null,
  endedAt: endedAt?.toISOString() ?? null,
});
