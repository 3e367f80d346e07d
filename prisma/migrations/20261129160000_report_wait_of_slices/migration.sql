SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "run_slices" ADD COLUMN "remote_job_wait_at" TIMESTAMPTZ(3);
COMMENT ON COLUMN "run_slices"."remote_job_wait_at" IS 'Start of the current wait for the report in progress; null: since it was requested. It begins again when the provider takes too long.';
