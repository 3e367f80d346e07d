-- AlterTable
ALTER TABLE "run_slices" ADD COLUMN     "faults" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "resume_at" TIMESTAMPTZ(3);

COMMENT ON COLUMN "run_slices"."faults" IS 'Transient errors so far. Slices with fewer are tried first; after a limit the slice is given up.';
COMMENT ON COLUMN "run_slices"."resume_at" IS 'Not tried before this moment, after a transient error; null: at any time.';
