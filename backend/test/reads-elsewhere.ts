/** SQL that reads tables of other modules outside of `read-models`: file and tables. */

/** A list or a page: the statement and the response that it shapes change together. */
const PAGES: Record<string, string> = {
  'access/access.queries.ts': 'api_keys',
  'apps/apps.queries.ts': 'app_events connections destinations sources',
  'backfills/backfills.queries.ts': 'connections resyncs run_slices runs',
  'billing/billing.queries.ts': 'connections',
  'connections/changes/restatements.queries.ts': 'coverage coverage_changes',
  'connections/changes/settling-times.queries.ts': 'coverage coverage_changes',
  'connections/connection-facts.queries.ts':
    'apps backfill_chunks backfills coverage destinations run_slices runs schema_changes sources',
  'connections/facts/rows-by-day.ts': 'coverage sources',
  'connections/coverage/coverage.queries.ts': 'coverage',
  'connections/coverage/daily.queries.ts': 'coverage',
  'connections/schema/schema.queries.ts': 'apps destinations schema_changes sources',
  'conversions/conversions.queries.ts': 'apps destinations',
  'custom-apps/integration-requests/submissions.queries.ts': 'apps',
  'custom-apps/push-events/push-endpoint.queries.ts': 'apps',
  'destinations/destinations.queries.ts': 'apps connections conversions',
  'freshness/freshness.queries.ts': 'apps connections destinations runs sources',
  'invitations/invitations.queries.ts': 'outbox_messages',
  'organizations/organizations.queries.ts': 'apps connections conversions destinations payments sources',
  'payments/payments.queries.ts': 'apps connections coverage sources',
  'sources/sources.queries.ts': 'apps connections',
  'sync/api/destination-audits.queries.ts': 'apps connections destinations',
  'sync/api/slices-of-run.ts': 'apps connections sources',
  'sync/ledger/sync.queries.ts': 'apps connections destinations sources',
  'sync/reconciliation/reconciliations.queries.ts': 'apps connections sources',
};

/** Runs and what they need of their connection, in the transactions that the lease fences. */
const RUNS: Record<string, string> = {
  'sync/api/destination-audits.service.ts': 'apps connections destinations',
  'sync/ledger/run-ledger.ts': 'connections',
  'sync/ledger/shared-tables.ts': 'apps connections sources',
  'sync/reconciliation/reconciliations.service.ts': 'apps connections sources',
  'sync/resync/resync-days.ts': 'backfills',
};

/** Backfills plan and settle by the runs and the coverage of their connection, under its lock. */
const BACKFILLS: Record<string, string> = {
  'backfills/chunks.ts': 'coverage run_slices',
  'backfills/continue-backfills.ts': 'apps connections destination_audits resyncs run_slices runs sources',
  'backfills/settle-chunks.ts': 'run_slices runs',
};

/** Which of its own rows the module works on next, or whether it may: depends on the state of others. */
const CONDITIONS: Record<string, string> = {
  'freshness/watch/check-deadlines.ts': 'connections',
  'freshness/watch/watched-connection.ts': 'apps connections destinations runs sources',
  'invitations/invitation-limits.ts': 'outbox_messages',
  'organizations/deletion/purge-deleted-resources.ts': 'backfills runs',
  'payments/webhooks/check-webhooks.ts': 'apps',
  'payments/webhooks/receive-webhook.ts': 'apps',
};

export const READS_ELSEWHERE: Record<string, string> = { ...PAGES, ...RUNS, ...BACKFILLS, ...CONDITIONS };
