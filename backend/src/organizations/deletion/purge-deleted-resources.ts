import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../../core/database/database.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { RESTORABLE_DAYS } from '../../core/database/restorable.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';

// SQL: locks the resource's row; the names of the tables are a list.

const purgeThings = defineScheduledJob('purge-things', 'every-quarter-hour');

/** Maximum number of each kind per execution, because the history of one connection can be long. */
const BATCH_SIZE = 20;

interface PurgedKind {
  table: string;
  /** Dependent rows that are deleted first. Referencing tables come before referenced ones; `$2` is the resource's id. */
  parts: { table: string; where: string }[];
  /** Tables that must not reference the resource any more, with the referencing column. */
  users: { table: string; column: string }[];
}

const OF_CONNECTION = 'run_id in (select id from runs where organization_id = $1 and connection_id = $2)';

/** Resources that users delete, in deletion order. A test compares the tables with the foreign keys of the database. */
export const PURGED_KINDS: readonly PurgedKind[] = [
  { table: 'notification_rules', parts: [], users: [] },
  {
    table: 'webhook_endpoints',
    parts: ['webhook_deliveries', 'notification_rules'].map((table) => ({ table, where: 'endpoint_id = $2' })),
    users: [],
  },
  {
    table: 'connections',
    parts: [
      { table: 'run_log_entries', where: OF_CONNECTION },
      { table: 'run_slices', where: OF_CONNECTION },
      { table: 'coverage', where: 'connection_id = $2' },
      { table: 'coverage_changes', where: 'connection_id = $2' },
      { table: 'reconciliations', where: 'connection_id = $2' },
      { table: 'account_totals', where: 'connection_id = $2' },
      { table: 'stream_targets', where: 'connection_id = $2' },
      { table: 'destination_audits', where: 'connection_id = $2' },
      { table: 'offered_schemas', where: 'connection_id = $2' },
      { table: 'schema_changes', where: 'connection_id = $2' },
      ...['backfill_chunks', 'resync_days', 'resyncs'].map((table) => ({
        table,
        where: 'backfill_id in (select id from backfills where organization_id = $1 and connection_id = $2)',
      })),
      { table: 'backfills', where: 'connection_id = $2' },
      { table: 'freshness_days', where: 'connection_id = $2' },
      { table: 'freshness_badges', where: 'connection_id = $2' },
      { table: 'runs', where: 'connection_id = $2' },
    ],
    users: [],
  },
  {
    table: 'conversions',
    parts: ['conversion_events', 'conversion_requests', 'conversion_runs', 'conversion_counts'].map((table) => ({
      table,
      where: 'conversion_id = $2',
    })),
    users: [],
  },
  {
    table: 'payments',
    parts: ['payment_webhook_events', 'payment_recurring_revenues'].map((table) => ({ table, where: 'payment_id = $2' })),
    users: [{ table: 'connections', column: 'payment_id' }],
  },
  {
    table: 'sources',
    parts: [{ table: 'account_lookbacks', where: 'source_id = $2' }],
    users: [
      { table: 'connections', column: 'source_id' },
      { table: 'payments', column: 'source_id' },
    ],
  },
  {
    table: 'destinations',
    parts: [{ table: 'delivery_ledger', where: 'destination_id = $2' }],
    users: [
      { table: 'connections', column: 'destination_id' },
      { table: 'conversions', column: 'source_destination_id' },
    ],
  },
  {
    table: 'apps',
    parts: [
      ...['oauth_states', 'app_events', 'app_share_links', 'submission_steps', 'submissions'],
      ...['push_receipts', 'push_events', 'push_endpoints'],
    ].map((table) => ({ table, where: 'app_id = $2' })),
    users: [
      { table: 'sources', column: 'app_id' },
      { table: 'destinations', column: 'app_id' },
      { table: 'conversions', column: 'source_app_id' },
      { table: 'conversions', column: 'target_app_id' },
      { table: 'payments', column: 'app_id' },
    ],
  },
];

/** Permanently deletes what users deleted, with the credentials of apps and the secrets of webhooks, 30 days after its deletion. */
@Injectable()
export class PurgeDeletedResources implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(purgeThings, () => this.purge());
  }

  async purge(): Promise<void> {
    for (const kind of PURGED_KINDS) {
      const { rows } = await this.database.pool.query<{ id: string; organizationId: string }>(
        `select t.id, t.organization_id as "organizationId" from ${kind.table} t where ${isDue(kind)} limit $2`,
        [RESTORABLE_DAYS, BATCH_SIZE],
      );
      for (const { id, organizationId } of rows) await this.purgeOne(kind, organizationId, id);
    }
  }

  private async purgeOne({ table, parts }: PurgedKind, organizationId: string, id: string): Promise<void> {
    await this.tenants.transaction(organizationId, async (query) => {
      const [stillDeleted] = await query(
        `select id from ${table}
          where organization_id = $1 and id = $2 and deleted_at < now() - make_interval(days => $3) for update`,
        [id, RESTORABLE_DAYS],
      );
      if (!stillDeleted) return;
      for (const part of parts) await query(`delete from ${part.table} where organization_id = $1 and ${part.where}`, [id]);
      await query(`delete from ${table} where organization_id = $1 and id = $2`, [id]);
      this.logger.info({ organizationId, table, id }, 'purged a deleted resource');
    });
  }
}

const isDue = ({ users }: PurgedKind): string =>
  [
    't.deleted_at < now() - make_interval(days => $1)',
    ...users.map(
      ({ table, column }) =>
        `not exists (select from ${table} u where u.organization_id = t.organization_id and u.${column} = t.id)`,
    ),
  ].join(' and ');
