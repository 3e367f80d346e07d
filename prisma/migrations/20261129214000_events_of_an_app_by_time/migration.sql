-- squawk-ignore-file require-lock-timeout, require-statement-timeout, ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "push_events_organization_id_app_id_received_at_id_idx" ON "push_events" ("organization_id", "app_id", "received_at", "id");
