SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "run_slices" ADD COLUMN "corrupt_answers" INTEGER NOT NULL DEFAULT 0;
COMMENT ON COLUMN "run_slices"."corrupt_answers" IS 'Contradictory responses after which it was requested again. After a limit, the slice fails.';
