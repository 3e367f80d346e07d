SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "idempotency_keys" ADD COLUMN "stored_at" TIMESTAMPTZ(3);
COMMENT ON COLUMN "idempotency_keys"."stored_at" IS 'When the request stored a change, in the transaction of the change; null: it has stored none. Without a response, such a request is not executed again.';
