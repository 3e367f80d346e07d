import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../../core/database/database.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { RESTORABLE_DAYS } from '../../core/database/restorable.js';
import { DeleterService } from './deleter.service.js';

// SQL: locks the organization's row; the names of the tables are a list.

const purgeDeleted = defineScheduledJob('purge-deleted', 'every-minute');

/**
 * All tenant tables; referencing tables come before referenced ones. Only this code writes tables of other modules. A test
 * compares the list with the database, so that a new table cannot be forgotten.
 */
export const TENANT_TABLES = [
  'alerts',
  'notification_rules',
  'webhook_deliveries',
  'webhook_endpoints',
  'run_log_entries',
  'delivery_ledger',
  'run_slices',
  'coverage',
  'coverage_changes',
  'reconciliations',
  'account_totals',
  'stream_targets',
  'destination_audits',
  'offered_schemas',
  'schema_changes',
  'backfill_chunks',
  'resync_days',
  'resyncs',
  'backfills',
  'freshness_days',
  'freshness_badges',
  'account_lookbacks',
  'source_readings',
  'provider_requests',
  'runs',
  'connection_facts',
  'connections',
  'connection_totals',
  'payment_webhook_events',
  'payment_recurring_revenues',
  'payments',
  'conversion_events',
  'conversion_requests',
  'conversion_runs',
  'conversion_counts',
  'conversions',
  'destinations',
  'sources',
  'oauth_states',
  'app_events',
  'app_share_links',
  'submission_steps',
  'submissions',
  'push_receipts',
  'push_events',
  'push_endpoints',
  'apps',
  // Triggers add marks while the rows above are deleted.
  'connection_marks',
  'data_keys',
  'invitations',
  'api_keys',
  'stripe_events',
  'checkout_sessions',
  'subscriptions',
  'outbox_messages',
  'audit_events',
  'members',
  'organization_logos',
] as const;

const DAY_MS = 86_400_000;

/** Permanently deletes organizations that were deleted more than 30 days ago. Data in their destinations is not changed. */
@Injectable()
export class PurgeDeletedOrganizations implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly deleters: DeleterService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(purgeDeleted, () => this.purge());
  }

  async purge(): Promise<void> {
    const deletedAt = { lt: new Date(Date.now() - RESTORABLE_DAYS * DAY_MS) };
    const due = await this.database.prisma.organization.findMany({ where: { deletedAt }, select: { id: true }, take: 10 });
    for (const { id } of due) {
      // Runs only after the restore period, so never for an organization that is restored later.
      await this.deleters.runBeforePurge(id);
      await this.purgeOne(id);
    }
  }

  private async purgeOne(organizationId: string): Promise<void> {
    await this.tenants.transaction(organizationId, async (query) => {
      const [stillDeleted] = await query(
        'select id from organizations where id = $1 and deleted_at < now() - make_interval(days => $2) for update',
        [RESTORABLE_DAYS],
      );
      if (!stillDeleted) return;
      for (const table of TENANT_TABLES) await query(`delete from ${table} where organization_id = $1`);
      await query('delete from organizations where id = $1');
      this.logger.info({ organizationId }, 'purged a deleted organization');
    });
  }
}
