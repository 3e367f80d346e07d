-- squawk-ignore-file require-lock-timeout, require-statement-timeout, ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "runs_queued_at_ended_at_idx" ON "runs" USING BRIN ("queued_at", "ended_at");
