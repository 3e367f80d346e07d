SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "runs" ADD COLUMN "is_initial_load" BOOLEAN NOT NULL DEFAULT false;
COMMENT ON COLUMN "runs"."is_initial_load" IS 'Whether no earlier run of the connection had loaded anything when it was requested. False for reloads and backfills.';
