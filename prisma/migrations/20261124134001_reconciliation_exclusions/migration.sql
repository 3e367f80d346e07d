-- AlterTable
ALTER TABLE "reconciliations" ADD COLUMN     "exclusions" JSONB NOT NULL DEFAULT '[]';

COMMENT ON COLUMN "reconciliations"."exclusions" IS 'What the user''s choice leaves out of the comparison: [{kind, reason, count, names}].';
COMMENT ON COLUMN "reconciliations"."excluded_days" IS 'Account-days of streams that list only a part of the total, or that are no longer selected.';
