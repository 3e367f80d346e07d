SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "payments" ADD COLUMN "webhooks_attempted_at" TIMESTAMPTZ(3);
COMMENT ON COLUMN "payments"."webhooks_attempted_at" IS 'When a check of the webhooks last began, also one that failed; null: never. The longest ago is checked first.';
COMMENT ON COLUMN "payments"."webhooks_checked_at" IS 'Until when Stripe''s list of events was compared with the webhooks that arrived; null: not yet.';
