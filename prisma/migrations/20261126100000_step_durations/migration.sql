-- How long the steps of a run take, for the run's page.
ALTER TABLE "runs" ADD COLUMN "plan_ms" INTEGER;
ALTER TABLE "run_slices" ADD COLUMN "step_ms" JSONB;

COMMENT ON COLUMN "runs"."plan_ms" IS 'Milliseconds from the start of the attempt that planned it to the stored plan; null: not planned, or by an earlier version.';
COMMENT ON COLUMN "run_slices"."step_ms" IS '{extract, stage, load, verify}: milliseconds of its last attempt in each step; null: not compared yet, or by an earlier version.';
