-- AlterTable
ALTER TABLE "runs" ADD COLUMN "turn" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "run_slices" ADD COLUMN "remote_job_since" TIMESTAMPTZ(3);
UPDATE "run_slices" SET "remote_job_since" = now() WHERE "remote_job_id" IS NOT NULL;

-- The first turn of all, and the last of an organization: asked for with every run that is queued.
CREATE INDEX "runs_turn_queued" ON "runs" ("turn") WHERE "state" = 'queued';
CREATE INDEX "runs_organization_id_turn_queued" ON "runs" ("organization_id", "turn") WHERE "state" = 'queued';

COMMENT ON COLUMN "runs"."turn" IS 'Its place in the queue: an organization''s runs have ascending turns, and all organizations share turns. The lowest is first.';
COMMENT ON COLUMN "run_slices"."remote_job_since" IS 'Since when that report is waited for; null when there is none.';
