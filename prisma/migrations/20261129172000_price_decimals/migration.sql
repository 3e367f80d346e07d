SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

COMMENT ON COLUMN "subscriptions"."plan" IS 'Details of the price: name, amountMinor (in Stripe''s smallest unit), decimals, currency, interval, intervalCount.';
