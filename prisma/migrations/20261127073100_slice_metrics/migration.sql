-- What was compared besides rows and cost, for the proof of a run.
ALTER TABLE "run_slices" ADD COLUMN "metrics" JSONB;

COMMENT ON COLUMN "run_slices"."metrics" IS '{hasCost, clicks, impressions, conversions}: whether the stream has a cost, and {read, found} sums of the other metrics, null if not known; null: not compared yet, or by an earlier version.';
