-- AlterTable
ALTER TABLE "runs" ADD COLUMN "turn" INTEGER NOT NULL DEFAULT 0;

-- The first turn of all, and the last of an organization: asked for with every run that is queued.
CREATE INDEX "runs_turn_queued" ON "runs" ("turn") WHERE "state" = 'queued';
CREATE INDEX "runs_organization_id_turn_queued" ON "runs" ("organization_id", "turn") WHERE "state" = 'queued';

COMMENT ON COLUMN "runs"."turn" IS 'Its place in the queue: an organization''s runs have ascending turns, and all organizations share turns. The lowest is first.';
