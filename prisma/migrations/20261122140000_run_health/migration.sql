-- AlterTable
ALTER TABLE "run_slices" ADD COLUMN     "remote_job_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "follow_up_actor" TEXT,
ADD COLUMN     "has_follow_up" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "progress_at" TIMESTAMPTZ(3),
ADD COLUMN     "stuck_at" TIMESTAMPTZ(3),
ADD COLUMN     "worker_deaths" INTEGER NOT NULL DEFAULT 0;

COMMENT ON COLUMN "run_slices"."remote_job_at" IS 'When the provider was asked for the report under way: its rows are as old as that.';
COMMENT ON COLUMN "runs"."progress_at" IS 'When it last read a row, had a request answered or completed a slice.';
COMMENT ON COLUMN "runs"."stuck_at" IS 'When it was found without progress; null while it makes progress.';
COMMENT ON COLUMN "runs"."worker_deaths" IS 'Workers that died in a row while they worked on it; back to 0 with every slice done.';
COMMENT ON COLUMN "runs"."has_follow_up" IS 'Whether a manual run starts when this one ends, because somebody asked for it meanwhile.';
COMMENT ON COLUMN "runs"."follow_up_actor" IS 'uid of who asked for the run that follows; null when nobody did.';

-- Looked at every minute; hardly a run is in it.
CREATE INDEX "runs_with_follow_up" ON "runs" ("ended_at") WHERE "has_follow_up";
