SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "conversions" ADD COLUMN "pending_reads" INTEGER NOT NULL DEFAULT 1;
COMMENT ON COLUMN "conversions"."pending_reads" IS 'How often a read of the source was asked for and has not been completed. A run reads only if it is not 0; other runs only send and ask for results.';
