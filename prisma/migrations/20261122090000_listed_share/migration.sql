-- AlterTable
ALTER TABLE "run_slices" ADD COLUMN     "total_cost_micros" BIGINT;

COMMENT ON COLUMN "run_slices"."total_cost_micros" IS 'Cost of the provider''s total of which the stream lists only a part (search terms, breakdowns), in micros; null for all other streams.';
