-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "checkout_attempt" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "customer_attempt" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "has_subscribed" BOOLEAN NOT NULL DEFAULT false;

-- A subscription that was seen left its price's name behind, also where a lost customer took the subscription's id along.
UPDATE "subscriptions" SET "has_subscribed" = true WHERE "subscription_id" IS NOT NULL OR "plan" IS NOT NULL;

COMMENT ON COLUMN "subscriptions"."customer_attempt" IS 'Calls to make the customer that Stripe broke off; part of the key of the next.';
COMMENT ON COLUMN "subscriptions"."has_subscribed" IS 'Whether a subscription was ever seen: the trial is for the first only.';
COMMENT ON COLUMN "subscriptions"."current_period_end" IS 'When the plan ends, if it was cancelled; else when the next payment is due.';
COMMENT ON COLUMN "subscriptions"."cancel_at_period_end" IS 'Whether it ends then, by whichever way of Stripe''s it was cancelled.';
COMMENT ON COLUMN "subscriptions"."checkout_attempt" IS 'Calls to open a checkout that Stripe broke off; part of the key of the next.';
