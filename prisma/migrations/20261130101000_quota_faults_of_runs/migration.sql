SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "runs" ADD COLUMN "quota_faults" INTEGER NOT NULL DEFAULT 0;
COMMENT ON COLUMN "runs"."quota_faults" IS 'Consecutive attempts that ended because a quota was used up. Every completed slice resets it to 0.';
COMMENT ON COLUMN "runs"."faults" IS 'Consecutive attempts that ended with a transient error, without those of a used-up quota. Every completed slice resets it to 0.';

-- Runs that wait for a quota keep their limit.
UPDATE "runs" SET "quota_faults" = "faults", "faults" = 0 WHERE "ended_at" IS NULL AND "failure"->>'class' = 'quota';
