-- squawk-ignore-file require-lock-timeout, require-statement-timeout, ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_sequence" ON "webhook_deliveries" ("organization_id", "endpoint_id", "sequence", "id") WHERE "state" = 'queued';
