SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "webhook_deliveries" ADD COLUMN "sequence" TEXT;
COMMENT ON COLUMN "webhook_deliveries"."sequence" IS 'Deliveries of one sequence and endpoint are sent in the order in which they were stored; null: in any order.';
