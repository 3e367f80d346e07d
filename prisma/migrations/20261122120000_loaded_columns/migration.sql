-- AlterTable
ALTER TABLE "loaded_targets" ADD COLUMN     "columns" JSONB;
COMMENT ON COLUMN "loaded_targets"."columns" IS '{column: identity} of the columns that hold all days loaded; null until a run has looked, for rows from before columns were kept.';

-- CreateIndex
CREATE INDEX "loaded_targets_organization_id_target_idx" ON "loaded_targets"("organization_id", "target");
